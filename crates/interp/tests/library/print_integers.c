/* Every flag, width and precision of the integer conversions; strings, characters, %n. */
#define _GNU_SOURCE 1
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <stddef.h>
#include <wchar.h>
#include <stdlib.h>

static int variadic(char *to, size_t room, const char *format, ...)
{
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    int wanted = vsnprintf(to, room, format, list);
    va_end(list);
    vprintf(format, copy);
    va_end(copy);
    return wanted;
}

int main(int argc, char **argv)
{
    static const char *flags[] = { "", "-", "+", " ", "#", "0", "-0", "+0", "#0", "-#", "+-", " 0", "+ ", "-+#0" };
    static const char *sizes[] = { "", "1", "5", "12", ".0", ".1", ".5", "8.3", "3.8", "08.3", "." };
    static const char conversions[] = "diuoxX";
    static const long long values[] = { 0, 1, -1, 7, 8, 42, 255, 256, -128, 32767, 65535, 65536, 2147483647LL,
        -2147483648LL, 4294967295LL, 1234567890123456789LL, (-9223372036854775807LL - 1) };
    char format[64];
    for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned c = 0; c < 6; c++) {
                for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
                    sprintf(format, "%%%s%sll%c|", flags[f], sizes[s], conversions[c]);
                    printf(format, values[v]);
                    sprintf(format, "%%%s%s%c|", flags[f], sizes[s], conversions[c]);
                    printf(format, (int)values[v]);
                    sprintf(format, "%%%s%shh%c|%%%s%sh%c|", flags[f], sizes[s], conversions[c], flags[f], sizes[s], conversions[c]);
                    printf(format, (int)values[v], (int)values[v]);
                }
                printf("<%s%s%c>\n", flags[f], sizes[s], conversions[c]);
            }
    for (int width = -9; width < 10; width += 3)
        for (int precision = -2; precision < 7; precision += 2) {
            printf("[%*.*d] [%*.*s] [%*c]\n", width, precision, 1234, width, precision, "hello", width, 'c');
            printf("[%-*d] [%0*d]\n", width, 5, width, -5);
        }
    int chars = 0; long long_chars = 0; short short_chars = 0; signed char byte_chars = 0;
    printf("abc%n %s%ln%hn%hhn\n", &chars, "defgh", &long_chars, &short_chars, &byte_chars);
    printf("%d %ld %hd %hhd\n", chars, long_chars, short_chars, byte_chars);
    printf("%zu %zd %jd %ju %td %ld %lu\n", sizeof(int), (ptrdiff_t)-3, (intmax_t)-4, (uintmax_t)4, (ptrdiff_t)5, -6L, 6UL);
    printf("%% %c%c%c|%5c|%-5c|%.0s|%.3s|%10.2s|%-10.2s|\n", 'a', 0x141, '\n', 'x', 'y', "none", "three", "two", "two");
    printf("%p [%10p] [%-10p]\n", (void *)0, (void *)0, (void *)0);
    printf("%ls %lc %5.2ls|\n", L"wide", (wint_t)'w', L"wide");
    char unterminated[3] = { 'a', 'b', 'c' };
    printf("%.3s\n", unterminated);
    char small[8];
    for (size_t room = 0; room < 9; room++) {
        memset(small, '#', sizeof small);
        if (room > 8) break;
        int wanted = variadic(small, room, "%d-%s %5.1f %c %lld|", 42, "str", 2.5, 'z', -5LL);
        printf(" %d %.*s\n", wanted, (int)(room ? strlen(small) : 0), small);
    }
    printf("%d %d %d\n", puts("puts"), fputs("fputs\n", stdout), putchar('p'));
    putc('q', stdout); fputc('\n', stdout);
    fprintf(stdout, "%s %s %d\n", argv[1], argv[2], argc);
    char *allocated = 0;
    int length = asprintf(&allocated, "%s-%d", "made", 7);
    printf("%d %s\n", length, allocated);
    free(allocated);
    printf("%s", "");
    return printf("last\n");
}
