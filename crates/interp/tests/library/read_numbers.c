/* scanf in all its conversions, on strings and on the standard input; strtod and friends. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void number(const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    printf("%s: %a rest <%s> errno %d;", text, value, end, fabs(value) < 1e-300 && value != 0 ? 0 : errno);
    errno = 0;
    float small = strtof(text, &end);
    printf(" %a <%s>; atof %g\n", small, end, atof(text));
}

int main(void)
{
    static const char *texts[] = { "1", "-1.5e3x", "  +.5", "1e", "1e+", "0x", "0x1p3", "0x1.8", "0x.8p-1z", "inf", "INFINITYx",
        "infinit", "-inf", "nan", "nan(123)", "nan(12", "", "  ", "x", ".", "-", "1e400", "-1e400", "1e-400", "123456789012345678901234567890",
        "0.1", "3.4028236e38", "1.17549435e-38", "1..2", "0x1p-1074", "1e5e5", "00012", "9007199254740993", "0x1fffffffffffff8p0" };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        number(texts[i]);

    int a, b, c, d, n; double x; float f; char word[16], rest[16], line[32]; char letter;
    n = scanf("%d %d %i %i %lf %15[a-z],%s", &a, &b, &c, &d, &x, word, rest);
    printf("%d: %d %d %d %d %g %s %s\n", n, a, b, c, d, x, word, rest);
    n = scanf("%c%31[^\n]%*c", &letter, line);
    printf("%d: %d %s\n", n, letter, line);
    n = scanf("%d", &a);
    printf("%d: %d\n", n, a);
    n = scanf("%d %d", &a, &b);
    printf("%d: %d\n", n, a);
    n = scanf("%d", &a);
    printf("%d %d %d\n", n, feof(stdin) != 0, ferror(stdin));

    static const char *inputs[] = { "42", "-42", "+7", "0x1A", "077", "99999999999", "abc", "", "   ", "12abc", "-", "0x", "1,2,3",
        "3.25e1", "1e", "-.5", "inf", "nan", "0x1p4", "5 %", "5%", "hello world" };
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const char *in = inputs[i];
        int i1 = -9, i2 = -9, i3 = -9, count = -9; unsigned u = 9; long l = -9; short s = -9; signed char h = -9;
        x = -9; f = -9; memset(word, 0, sizeof word);
        printf("<%s> ", in);
        printf("%d ", sscanf(in, "%d%n", &i1, &count)); printf("%d %d | ", i1, count);
        printf("%d ", sscanf(in, "%i", &i2)); printf("%d | ", i2);
        printf("%d ", sscanf(in, "%x", &u)); printf("%u | ", u);
        printf("%d ", sscanf(in, "%o", &u)); printf("%u | ", u);
        printf("%d ", sscanf(in, "%ld", &l)); printf("%ld | ", l);
        printf("%d ", sscanf(in, "%hd", &s)); printf("%d | ", s);
        printf("%d ", sscanf(in, "%hhd", &h)); printf("%d | ", h);
        printf("%d ", sscanf(in, "%lf", &x)); printf("%g | ", x);
        printf("%d ", sscanf(in, "%f", &f)); printf("%g | ", f);
        printf("%d ", sscanf(in, "%3s", word)); printf("%s | ", word);
        printf("%d ", sscanf(in, "%2d%3d", &i2, &i3)); printf("%d %d | ", i2, i3);
        printf("%d ", sscanf(in, "%*d,%d", &i2)); printf("%d | ", i2);
        printf("%d ", sscanf(in, "%3c", word)); printf("%.3s | ", word);
        printf("%d ", sscanf(in, "%[]a-h]", word)); printf("%s | ", word);
        printf("%d ", sscanf(in, "%d%%", &i2)); printf("%d\n", i2);
    }
    return 3;
}
