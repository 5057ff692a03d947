/* Every notation, flag and precision of the float conversions on corner and random values. */
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <math.h>

static uint64_t state = 88172645463325252ULL;
static uint64_t next(void)
{
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return state;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int main(void)
{
    static const char *flags[] = { "", "-", "+", " ", "#", "0", "+0", "#0", "-#", " #0" };
    static const char *sizes[] = { "", ".0", ".1", ".2", ".6", ".15", ".17", "20", "12.3", "30.10", ".40", ".", "1.1" };
    static const char conversions[] = "fFeEgGaA";
    static const double values[] = { 0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.125, 0.375, 10.0, 99.5, 999999.5, 9999995.0,
        0.1, 1e-5, 0.0001, 0.00001234, 123456.0, 1234567.0, 1e15, 1e16, 1e17, 1e22, 1e23, 1e300, 1.7976931348623157e308,
        2.2250738585072014e-308, 4.9406564584124654e-324, 1e-310, 3.141592653589793, 100.0, 1e100, 5e-324,
        9.5, 0.95, 0.095, 9.9999999, 0.99999999, 15.0, 255.0 / 256, 1.9999999999999998, 4503599627370496.5 };
    char format[32];
    for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned c = 0; c < 8; c++) {
                sprintf(format, "%%%s%s%c|", flags[f], sizes[s], conversions[c]);
                for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
                    /* glibc 2.36 drops the zeros that '#' asks for when rounding carries into the exponent. */
                    if (strchr(flags[f], '#') && strchr("gG", conversions[c]) && (values[v] == 999999.5 || values[v] == 99.5)) continue;
                    printf(format, values[v]);
                }
                printf(format, (double)INFINITY);
                printf(format, -(double)INFINITY);
                printf(format, (double)NAN);
                printf("<%s\n", format + 1);
            }
    for (int i = 0; i < 1500; i++) {
        double value = from_bits(next());
        if (value != value) continue;
        int precision = (int)(next() % 25);
        printf("%.*e %.*g %.*a %g %a %.3f\n", precision, value, precision, value, precision % 15, value, value, value,
            fabs(value) < 1e30 ? value : 1.0);
        double moderate = ldexp((double)(int64_t)next(), (int)(next() % 80) - 60);
        printf("%.*f %f %G %lf\n", precision, moderate, moderate, moderate, moderate);
    }
    printf("%.1100f\n%.1200e\n%.800g\n", 5e-324, 1.0 / 3, 5e-324);
    printf("%f %e %g\n", (float)0.1f, 0.1f, 1e10f);
    return 0;
}
