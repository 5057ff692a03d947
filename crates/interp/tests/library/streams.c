/* Streams: the standard ones, and files that the program makes, fills, reads back and removes. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct padded { char tag; long value; };

int main(void)
{
    char line[64];
    int c = getchar();
    printf("%c %d\n", c, ungetc(c, stdin));
    printf("%s", fgets(line, 6, stdin));
    printf("|%s", fgets(line, sizeof line, stdin));
    char *grown = NULL; size_t room = 0;
    ssize_t got = getline(&grown, &room, stdin);
    printf("%ld %s", (long)got, grown);
    printf("%s|", fgets(line, sizeof line, stdin));
    printf("%d %d\n", fgets(line, sizeof line, stdin) == NULL, feof(stdin) != 0);
    clearerr(stdin);
    printf("%d %d %d\n", feof(stdin), getc(stdin), fgetc(stdin));
    free(grown);

    char name[] = "/tmp/glassbox-streams-test.txt";
    errno = 0;
    printf("%d %d\n", fopen("/no/such/file", "r") == NULL, errno == ENOENT);
    FILE *file = fopen(name, "w");
    fprintf(file, "%s\n%d\n", "hello", 42);
    struct padded record = { 'r', 7 };
    printf("%zu\n", fwrite("0123456789", 2, 5, file));
    printf("%zu\n", fwrite(&record, sizeof record, 1, file));
    printf("%ld\n", ftell(file));
    printf("%d\n", fclose(file));
    file = fopen(name, "r+");
    printf("%d %s", fgetc(file), fgets(line, sizeof line, file));
    int number = 0;
    printf("%d", fscanf(file, "%d", &number));
    printf(" %d %ld\n", number, ftell(file));
    char digits[11] = "";
    fgetc(file);
    printf("%zu %s\n", fread(digits, 1, 10, file), digits);
    struct padded back = { 0 };
    printf("%zu", fread(&back, sizeof back, 1, file));
    printf(" %c %ld\n", back.tag, back.value);
    printf("%d %d\n", fgetc(file), feof(file) != 0);
    printf("%d %d\n", fseek(file, -5, SEEK_END), feof(file));
    printf("%d %d\n", fseek(file, -1, SEEK_SET), ftell(file) > 0);
    rewind(file);
    fputs("HE", file);
    fseek(file, 0, SEEK_SET);
    printf("%s", fgets(line, sizeof line, file));
    fclose(file);
    file = fopen(name, "a");
    fputs("appended", file);
    printf("%ld\n", ftell(file));
    printf("%d %d\n", fgetc(file), ferror(file) != 0);
    fclose(file);
    printf("%d %d\n", remove(name), remove(name));
    printf("%d\n", fopen(name, "r") == NULL);
    file = tmpfile();
    fputc('x', file);
    rewind(file);
    printf("%c\n", fgetc(file));
    ungetc('b', file);
    printf("%c %d\n", fgetc(file), fgetc(file));
    fclose(file);
    setvbuf(stdout, NULL, _IONBF, 0);
    puts(strerror(ENOENT));
    puts(strerror(ERANGE));
    puts(strerror(12345));
    fflush(stdout);
    return 0;
}
