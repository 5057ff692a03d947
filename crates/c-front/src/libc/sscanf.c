/* Formatted input from text in memory, as glibc reads it in the C locale. What is not understood here is left to
   functions that the engines have themselves: a whole format with `%p`, `%m`, wide characters or `long double`, and
   floats that are no plain decimals or have a width. Tests of characters have no branches, so that each is one decision. */
int __glassbox_vsscanf(const char *s, const char *format, __builtin_va_list list);
int __glassbox_scan_float(const char *s, int width, int size, void *to);

//@ scan_is_space
static int __lib_scan_is_space(char c)
{
    return (c == ' ') | ((c >= 9) & (c <= 13));
}

//@ scan_directive
/* Reads what follows a `%`; where the format goes on. The conversion is 0 where it is not understood. */
static const char *__lib_scan_directive(const char *f, int *is_suppressed, int *width, int *size, char *conversion)
{
    *conversion = 0;
    *is_suppressed = *f == '*';
    f += *is_suppressed;
    *width = 0;
    for (; *f >= '0' && *f <= '9'; f++) {
        if (*width > 9999999)
            return f;
        *width = *width * 10 + (*f - '0');
    }
    *size = sizeof(int);
    if (*f == 'h') {
        *size = sizeof(short);
        f++;
        if (*f == 'h') {
            *size = 1;
            f++;
        }
    } else if (*f == 'l' && f[1] == 'l') {
        *size = sizeof(long long);
        f += 2;
    } else if (*f == 'l' || *f == 'z' || *f == 't') {
        *size = sizeof(long);
        f++;
    } else if (*f == 'j') {
        *size = sizeof(long long);
        f++;
    }
    switch (*f) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'n':
        *conversion = *f;
        break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        if (*size == sizeof(float) || *size == sizeof(double))
            *conversion = 'f';
        break;
    case 'c': case 's': case '[':
        if (*size == sizeof(int))
            *conversion = *f;
        break;
    }
    return *f == 0 ? f : f + 1;
}

//@ scan_set_end
/* Behind the bracket that ends a set; null where there is none. */
static const char *__lib_scan_set_end(const char *set)
{
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set != 0 && *set != ']')
        set++;
    return *set == 0 ? 0 : set + 1;
}

//@ scan_in_set
static int __lib_scan_in_set(const char *set, const char *end, char letter)
{
    unsigned char c = (unsigned char)letter;
    int is_inverted = *set == '^', is_in = 0;
    set += is_inverted;
    for (end--; set < end; set++) {
        unsigned char first = (unsigned char)*set, last = first;
        if (end - set > 2 && set[1] == '-' && first <= (unsigned char)set[2]) {
            last = (unsigned char)set[2];
            set += 2;
        }
        is_in |= (c >= first) & (c <= last);
    }
    return (is_in ^ is_inverted) & (c != 0);
}

//@ scan_digit
/* The value of a digit, 36 for anything else. */
static int __lib_scan_digit(char c)
{
    int number = c - '0', letter = (c | 32) - 'a';
    int is_number = (number >= 0) & (number <= 9), is_letter = (letter >= 0) & (letter <= 5);
    return is_number * number + is_letter * (letter + 10) + (1 - is_number - is_letter) * 36;
}

//@ scan_integer
/* An integer of at most `width` characters; where it ends, the start if there is none. */
static const char *__lib_scan_integer(const char *s, int width, char conversion, unsigned long long *value)
{
    const char *start = s;
    int base = conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
    int is_signed = conversion == 'd' || conversion == 'i';
    int is_negative = 0, has_digit = 0, is_out_of_range = 0;
    unsigned long long magnitude = 0, limit = is_signed ? ~0ULL >> 1 : ~0ULL;
    if ((*s == '-') | (*s == '+')) {
        is_negative = *s == '-';
        s++;
    }
    if ((base == 0 || base == 16) && (width == 0 || s - start < width) && *s == '0') {
        has_digit = 1;
        s++;
        if ((width == 0 || s - start < width) && (*s | 32) == 'x') {
            base = 16;
            s++;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    limit += is_signed & is_negative;
    for (; width == 0 || s - start < width; s++) {
        int digit = __lib_scan_digit(*s);
        if (digit >= base)
            break;
        has_digit = 1;
        if (magnitude > (limit - digit) / base)
            is_out_of_range = 1;
        else
            magnitude = magnitude * base + digit;
    }
    if (!has_digit)
        return start;
    if (is_out_of_range)
        magnitude = limit;
    *value = is_negative && (is_signed || !is_out_of_range) ? -magnitude : magnitude;
    return s;
}

//@ scan_store
static void __lib_scan_store(void *to, int size, unsigned long long value)
{
    switch (size) {
    case 1:
        *(unsigned char *)to = (unsigned char)value;
        break;
    case 2:
        *(unsigned short *)to = (unsigned short)value;
        break;
    case 4:
        *(unsigned int *)to = (unsigned int)value;
        break;
    default:
        *(unsigned long long *)to = value;
        break;
    }
}

//@ scan_float
/* A float; where it ends, the start if there is none. */
static const char *__lib_scan_float(const char *s, int width, int size, void *to)
{
    const char *first = s + ((*s == '-') | (*s == '+'));
    char *end;
    if (width != 0 || ((*first | 32) == 'i') | ((*first | 32) == 'n') || (*first == '0' && (first[1] | 32) == 'x'))
        return s + __glassbox_scan_float(s, width, size, to);
    if (size == sizeof(double)) {
        double value = __lib_strtod(s, &end);
        if (end != s && (*end | 32) == 'e')
            return s + __glassbox_scan_float(s, width, size, to);
        if (end != s && to != 0)
            *(double *)to = value;
    } else {
        float value = __lib_strtof(s, &end);
        if (end != s && (*end | 32) == 'e')
            return s + __glassbox_scan_float(s, width, size, to);
        if (end != s && to != 0)
            *(float *)to = value;
    }
    return end;
}

//@ vsscanf
int __lib_vsscanf(const char *s, const char *format, __builtin_va_list list)
{
    const char *start = s, *f = format;
    int n_assigned = 0, is_suppressed, width, size;
    char conversion;
    while (*f != 0) {
        if (*f != '%' || f[1] == '%') {
            f += 1 + (*f == '%');
            continue;
        }
        f = __lib_scan_directive(f + 1, &is_suppressed, &width, &size, &conversion);
        if (conversion == '[')
            f = __lib_scan_set_end(f);
        if (conversion == 0 || f == 0)
            return __glassbox_vsscanf(s, format, list);
    }
    for (f = format; *f != 0;) {
        const char *stop, *set;
        void *to;
        if (__lib_scan_is_space(*f)) {
            while (__lib_scan_is_space(*s))
                s++;
            f++;
            continue;
        }
        if (*f != '%' || f[1] == '%') {
            if (*f == '%') {
                f++;
                while (__lib_scan_is_space(*s))
                    s++;
            }
            if (*s == 0)
                return n_assigned == 0 ? -1 : n_assigned;
            if (*s != *f)
                return n_assigned;
            s++;
            f++;
            continue;
        }
        f = __lib_scan_directive(f + 1, &is_suppressed, &width, &size, &conversion);
        set = f;
        if (conversion == '[')
            f = __lib_scan_set_end(f);
        if (conversion == 'n') {
            if (!is_suppressed)
                __lib_scan_store(__builtin_va_arg(list, void *), size, (unsigned long long)(s - start));
            continue;
        }
        if (conversion != 'c' && conversion != '[') {
            while (__lib_scan_is_space(*s))
                s++;
        }
        if (*s == 0)
            return n_assigned == 0 ? -1 : n_assigned;
        if (conversion == 'c' || conversion == 's' || conversion == '[') {
            char *text;
            int n_most = conversion == 'c' && width == 0 ? 1 : width;
            for (stop = s; n_most == 0 || stop - s < n_most; stop++) {
                if (conversion == '[' ? !__lib_scan_in_set(set, f, *stop)
                                      : (*stop == 0) | ((conversion == 's') & __lib_scan_is_space(*stop)))
                    break;
            }
            if (stop == s)
                return n_assigned;
            if (is_suppressed) {
                s = stop;
                continue;
            }
            text = __builtin_va_arg(list, void *);
            while (s != stop)
                *text++ = *s++;
            if (conversion != 'c')
                *text = 0;
            n_assigned++;
            continue;
        }
        to = 0;
        if (conversion == 'f') {
            /* Nothing is stored where the text is no number, so its place may be asked for first. */
            if (!is_suppressed)
                to = __builtin_va_arg(list, void *);
            stop = __lib_scan_float(s, width, size, to);
            if (stop == s)
                return n_assigned;
        } else {
            unsigned long long value;
            stop = __lib_scan_integer(s, width, conversion, &value);
            if (stop == s)
                return n_assigned;
            if (!is_suppressed)
                __lib_scan_store(__builtin_va_arg(list, void *), size, value);
        }
        s = stop;
        n_assigned += !is_suppressed;
    }
    return n_assigned;
}

//@ sscanf
int __lib_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list list;
    int n_assigned;
    __builtin_va_start(list, format);
    n_assigned = __lib_vsscanf(s, format, list);
    __builtin_va_end(list);
    return n_assigned;
}

//@ __isoc99_vsscanf
int __lib___isoc99_vsscanf(const char *s, const char *format, __builtin_va_list list)
{
    return __lib_vsscanf(s, format, list);
}

//@ __isoc23_vsscanf
int __lib___isoc23_vsscanf(const char *s, const char *format, __builtin_va_list list)
{
    return __lib_vsscanf(s, format, list);
}

//@ __isoc99_sscanf
int __lib___isoc99_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list list;
    int n_assigned;
    __builtin_va_start(list, format);
    n_assigned = __lib_vsscanf(s, format, list);
    __builtin_va_end(list);
    return n_assigned;
}

//@ __isoc23_sscanf
int __lib___isoc23_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list list;
    int n_assigned;
    __builtin_va_start(list, format);
    n_assigned = __lib_vsscanf(s, format, list);
    __builtin_va_end(list);
    return n_assigned;
}
