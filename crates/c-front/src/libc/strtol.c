/* Integers from text, with glibc's treatment of prefixes, ranges and errno. */
int *__lib___errno_location(void);

//@ digit_value
static int __lib_digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

//@ parse_integer
/* The magnitude in *magnitude, whether it was too large for `limit_positive` (or `limit_negative`), the
   sign; returns where parsing stopped, or the start if there was no number. */
static const char *__lib_parse_integer(const char *s, int base, unsigned long long limit_positive,
                                       unsigned long long limit_negative,
                                       unsigned long long *magnitude,
                                       int *is_negative, int *is_out_of_range)
{
    const char *start = s;
    *magnitude = 0;
    *is_negative = 0;
    *is_out_of_range = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__lib___errno_location() = 22;
        return start;
    }
    while (*s == ' ' || (*s >= 9 && *s <= 13))
        s++;
    if (*s == '-' || *s == '+') {
        *is_negative = *s == '-';
        s++;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && __lib_digit_value(s[2]) < 16) {
        base = 16;
        s += 2;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    unsigned long long limit = *is_negative ? limit_negative : limit_positive;
    const char *first = s;
    for (;; s++) {
        int digit = __lib_digit_value(*s);
        if (digit >= base)
            break;
        if (*magnitude > (limit - digit) / base || (unsigned long long)digit > limit)
            *is_out_of_range = 1;
        else
            *magnitude = *magnitude * base + digit;
    }
    if (s == first) {
        *is_negative = 0;
        return start;
    }
    if (*is_out_of_range) {
        *magnitude = limit;
        *__lib___errno_location() = 34;
    }
    return s;
}

//@ strtol
long __lib_strtol(const char *s, char **end, int base)
{
    unsigned long long magnitude;
    int is_negative, is_out_of_range;
    const char *stop = __lib_parse_integer(s, base, ~0UL >> 1, (~0UL >> 1) + 1,
                                           &magnitude, &is_negative, &is_out_of_range);
    if (end != 0)
        *end = (char *)stop;
    return (long)(is_negative ? -magnitude : magnitude);
}

//@ strtoul
unsigned long __lib_strtoul(const char *s, char **end, int base)
{
    unsigned long long magnitude;
    int is_negative, is_out_of_range;
    const char *stop = __lib_parse_integer(s, base, ~0UL, ~0UL,
                                           &magnitude, &is_negative, &is_out_of_range);
    if (end != 0)
        *end = (char *)stop;
    return (unsigned long)(is_negative && !is_out_of_range ? -magnitude : magnitude);
}

//@ strtoll
long long __lib_strtoll(const char *s, char **end, int base)
{
    unsigned long long magnitude;
    int is_negative, is_out_of_range;
    const char *stop = __lib_parse_integer(s, base, ~0ULL >> 1, (~0ULL >> 1) + 1,
                                           &magnitude, &is_negative, &is_out_of_range);
    if (end != 0)
        *end = (char *)stop;
    return (long long)(is_negative ? -magnitude : magnitude);
}

//@ strtoull
unsigned long long __lib_strtoull(const char *s, char **end, int base)
{
    unsigned long long magnitude;
    int is_negative, is_out_of_range;
    const char *stop = __lib_parse_integer(s, base, ~0ULL, ~0ULL,
                                           &magnitude, &is_negative, &is_out_of_range);
    if (end != 0)
        *end = (char *)stop;
    return is_negative && !is_out_of_range ? -magnitude : magnitude;
}

//@ strtoimax
long __lib_strtoimax(const char *s, char **end, int base)
{
    return __lib_strtol(s, end, base);
}

//@ strtoumax
unsigned long __lib_strtoumax(const char *s, char **end, int base)
{
    return __lib_strtoul(s, end, base);
}

//@ __isoc23_strtol
long __lib___isoc23_strtol(const char *s, char **end, int base)
{
    return __lib_strtol(s, end, base);
}

//@ __isoc23_strtoul
unsigned long __lib___isoc23_strtoul(const char *s, char **end, int base)
{
    return __lib_strtoul(s, end, base);
}

//@ __isoc23_strtoll
long long __lib___isoc23_strtoll(const char *s, char **end, int base)
{
    return __lib_strtoll(s, end, base);
}

//@ __isoc23_strtoull
unsigned long long __lib___isoc23_strtoull(const char *s, char **end, int base)
{
    return __lib_strtoull(s, end, base);
}

//@ atoi
int __lib_atoi(const char *s)
{
    return (int)__lib_strtol(s, 0, 10);
}

//@ atol
long __lib_atol(const char *s)
{
    return __lib_strtol(s, 0, 10);
}

//@ atoll
long long __lib_atoll(const char *s)
{
    return __lib_strtoll(s, 0, 10);
}
