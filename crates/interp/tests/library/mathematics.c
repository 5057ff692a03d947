/* Functions of math.h on corner and random arguments, printed exactly. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252ULL;
static uint64_t next(void)
{
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return state;
}

typedef double (*unary)(double);
typedef float (*unary_float)(float);
typedef double (*binary)(double, double);
typedef float (*binary_float)(float, float);

#define BOTH(name) { #name, name, name##f }
static const struct { const char *name; unary wide; unary_float narrow; } unaries[] = {
    BOTH(sin), BOTH(cos), BOTH(tan), BOTH(asin), BOTH(acos), BOTH(atan), BOTH(sinh), BOTH(cosh), BOTH(tanh), BOTH(asinh),
    BOTH(acosh), BOTH(atanh), BOTH(exp), BOTH(exp2), BOTH(expm1), BOTH(log), BOTH(log2), BOTH(log10), BOTH(log1p), BOTH(logb),
    BOTH(sqrt), BOTH(cbrt), BOTH(fabs), BOTH(floor), BOTH(ceil), BOTH(trunc), BOTH(round), BOTH(rint), BOTH(nearbyint),
    BOTH(erf), BOTH(erfc), BOTH(tgamma), BOTH(lgamma) };
static const struct { const char *name; binary wide; binary_float narrow; } binaries[] = {
    BOTH(atan2), BOTH(pow), BOTH(hypot), BOTH(fmod), BOTH(remainder), BOTH(fdim), BOTH(fmin), BOTH(fmax), BOTH(nextafter),
    BOTH(copysign) };

static void show(double value)
{
    if (value != value) printf(" nan"); else printf(" %a", value);
}

static void one(double x)
{
    for (unsigned i = 0; i < sizeof unaries / sizeof *unaries; i++) {
        printf("%s(%a)", unaries[i].name, x);
        errno = 0;
        double result = unaries[i].wide(x);
        int code = errno;
        show(result);
        if (result == 0 || fabs(result) > 1e-300) printf(" %d", code);
        show(unaries[i].narrow((float)x));
        printf("\n");
    }
    int power; double whole; float whole_float;
    show(frexp(x, &power)); printf(" %d", x - x == 0 ? power : 0);
    show(modf(x, &whole)); show(whole);
    show(modff((float)x, &whole_float)); show(whole_float);
    show(ldexp(x, 7)); show(scalbn(x, -1070)); show(ldexpf((float)x, 3));
    if (fabs(x) < 1e15 && x != 0) printf(" %d %ld %ld %lld %lld", ilogb(x), lround(x), lrint(x), llround(x), llrint(x));
    show(fma(x, x, -1.0));
    printf("\n");
}

static void two(double x, double y)
{
    for (unsigned i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        printf("%s(%a, %a)", binaries[i].name, x, y);
        show(binaries[i].wide(x, y));
        show(binaries[i].narrow((float)x, (float)y));
        printf("\n");
    }
}

int main(void)
{
    static const double corners[] = { 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 2.0, -3.0, 10.0, 1e-10, 1e10, -1e10, 1e300, -1e300,
        1e-300, 5e-324, INFINITY, -INFINITY, NAN, 709.7, 710.0, -745.0, -746.0, 170.5, 171.7, 3.141592653589793, 4503599627370495.5 };
    unsigned n = sizeof corners / sizeof *corners;
    for (unsigned i = 0; i < n; i++) {
        one(corners[i]);
        for (unsigned j = 0; j < n; j++)
            two(corners[i], corners[j]);
    }
    for (int i = 0; i < 60; i++) {
        double x = ldexp((double)(int64_t)next(), (int)(next() % 20) - 68);
        double y = ldexp((double)(int64_t)next(), (int)(next() % 10) - 62);
        one(x);
        two(x, y);
    }
    return 0;
}
