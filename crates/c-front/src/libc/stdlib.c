/* stdlib.h: small arithmetic and simple number parsing. */
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;

//@ abs
int __lib_abs(int value)
{
    return value < 0 ? -value : value;
}

//@ labs
long __lib_labs(long value)
{
    return value < 0 ? -value : value;
}

//@ llabs
long long __lib_llabs(long long value)
{
    return value < 0 ? -value : value;
}

//@ imaxabs
long __lib_imaxabs(long value)
{
    return value < 0 ? -value : value;
}

//@ div
div_t __lib_div(int numerator, int denominator)
{
    div_t result = { numerator / denominator, numerator % denominator };
    return result;
}

//@ ldiv
ldiv_t __lib_ldiv(long numerator, long denominator)
{
    ldiv_t result = { numerator / denominator, numerator % denominator };
    return result;
}

//@ lldiv
lldiv_t __lib_lldiv(long long numerator, long long denominator)
{
    lldiv_t result = { numerator / denominator, numerator % denominator };
    return result;
}
