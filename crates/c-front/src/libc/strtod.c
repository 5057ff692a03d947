/* Floating-point numbers from text. A number of few digits is exact before one multiplication or division by a power of
   ten that is exact as well, so the result is correctly rounded (Clinger, How to read floating point numbers accurately,
   1990). A number that is beyond the format whatever its digits are is infinite or zero, and a range error. Everything
   else is left to the whole functions, which the engines have themselves. */
int *__lib___errno_location(void);
double __glassbox_strtod(const char *s, char **end);
float __glassbox_strtof(const char *s, char **end);

//@ powers_of_ten
static const double __lib_powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

//@ scan_decimal
/* The digits as an integer below 10^`most` in *digits, the power of ten that it is multiplied by in *power; where the
   number ends, the start if there is none, or null where it is no such number. */
static const char *__lib_scan_decimal(const char *s, int most, unsigned long long *digits, int *power,
                                      int *is_negative)
{
    const char *start = s;
    int n_digits = 0, has_digit = 0, has_point = 0;
    *digits = 0;
    *power = 0;
    while (*s == ' ' || (*s >= 9 && *s <= 13))
        s++;
    *is_negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if (*s == 'i' || *s == 'I' || *s == 'n' || *s == 'N')
        return 0;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        return 0;
    for (;; s++) {
        if (*s >= '0' && *s <= '9') {
            has_digit = 1;
            *power -= has_point;
            if (*s == '0' && n_digits == 0)
                continue;
            if (n_digits == most)
                return 0;
            n_digits++;
            *digits = *digits * 10 + (unsigned long long)(*s - '0');
        } else if (*s == '.' && !has_point) {
            has_point = 1;
        } else {
            break;
        }
    }
    if (!has_digit)
        return start;
    if (*s == 'e' || *s == 'E') {
        const char *mark = s + 1;
        int exponent = 0, is_small = *mark == '-';
        if (*mark == '-' || *mark == '+')
            mark++;
        if (*mark >= '0' && *mark <= '9') {
            for (; *mark >= '0' && *mark <= '9'; mark++) {
                if (exponent < 100000)
                    exponent = exponent * 10 + (*mark - '0');
            }
            *power += is_small ? -exponent : exponent;
            s = mark;
        }
    }
    return s;
}

//@ strtod
/* 1 to 10^15 - 1 times such a power is more than any finite number, or less than half of the least. */
double __lib_strtod(const char *s, char **end)
{
    unsigned long long digits;
    int power, is_negative, is_beyond;
    double value;
    const char *stop = __lib_scan_decimal(s, 15, &digits, &power, &is_negative);
    is_beyond = power > 308 || power < -345;
    if (stop == 0 || (digits != 0 && !is_beyond && (power < -22 || power > 22)))
        return __glassbox_strtod(s, end);
    if (end != 0)
        *end = (char *)stop;
    if (stop == s)
        return 0;
    value = (double)digits;
    if (digits != 0 && is_beyond) {
        *__lib___errno_location() = 34;
        value = power < 0 ? 0 : __builtin_inf();
    } else if (digits != 0)
        value = power < 0 ? value / __lib_powers_of_ten[-power] : value * __lib_powers_of_ten[power];
    return is_negative ? -value : value;
}

//@ strtof
/* As above, with at most 10^7 - 1. */
float __lib_strtof(const char *s, char **end)
{
    unsigned long long digits;
    int power, is_negative, is_beyond;
    float value;
    const char *stop = __lib_scan_decimal(s, 7, &digits, &power, &is_negative);
    is_beyond = power > 38 || power < -60;
    if (stop == 0 || (digits != 0 && !is_beyond && (power < -10 || power > 10)))
        return __glassbox_strtof(s, end);
    if (end != 0)
        *end = (char *)stop;
    if (stop == s)
        return 0;
    value = (float)digits;
    if (digits != 0 && is_beyond) {
        *__lib___errno_location() = 34;
        value = power < 0 ? 0 : __builtin_inff();
    } else if (digits != 0)
        value = power < 0 ? value / (float)__lib_powers_of_ten[-power]
                          : value * (float)__lib_powers_of_ten[power];
    return is_negative ? -value : value;
}

//@ atof
double __lib_atof(const char *s)
{
    return __lib_strtod(s, 0);
}
