/* Every construct the front-end reads, once or twice: the seed of the mutation tests. */
typedef unsigned long size_t;
typedef __builtin_va_list va_list;
extern int printf(const char *restrict format, ...) __attribute__((format(printf, 1, 2)));
extern void *memcpy(void *, const void *, size_t) __asm__("memcpy");
_Static_assert(sizeof(long) == 8, "LP64");
enum color { RED, GREEN = 5, BLUE, WIDE = 0x123456789 };
struct point { int x, y; };
struct list { struct list *next; union { int i; float f; }; unsigned a : 3, : 0, b : 7; char tail[]; };
union word { unsigned u; unsigned char bytes[4]; struct { short lo, hi; } half; };
struct __attribute__((packed, aligned(2))) packed { char c; int i; double d __attribute__((aligned(4))); };
static const struct point origin = {.y = 2, .x = 1};
static int table[][3] = {{1, 2}, [2] = {[1] = 7}, 9, 8};
static int ranged[8] = {[1 ... 3] = 4, [6] = 1};
const char *words[] = {"zero", "one" " two", [4] = "four"};
int wide[] = L"wide\u20ac";
int (*handlers[2])(int, int);
extern int later[];
int later[3];
static inline int add(int a, int b) { return a + b; }
int old_style(a, b) char a; float b; { return a + b; }
int unknown();
_Noreturn void stop(void);
int variadic(int n, ...)
{
    va_list list, copy;
    int sum = 0;
    __builtin_va_start(list, n);
    __builtin_va_copy(copy, list);
    for (int i = 0; i < n; i++)
        sum += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    __builtin_va_end(copy);
    return sum;
}
static int loops(int n, const int *p, struct list *l)
{
    int i = 0, total = 0;
    while (i < n && p[i] >= 0 || !l) {
        if (p[i] == 3)
            continue;
        else if (p[i] > 100)
            break;
        total += p[i++] * 2 - (total >> 1);
    }
    do { total ^= ~i; } while (--i > 0);
    for (; l; l = l->next) total |= l->i & 7;
    for (unsigned u = 1u, v = 2; u < 10 ? v : u; u <<= 1) { total %= 1000; }
    return total;
}
int switches(enum color c, long x)
{
    switch (c) {
    case RED: x++; /* fall through */
    case GREEN: { x--; break; }
    case 10 ... 20: return (int)x;
    default: x = -x;
    }
    switch (x & 3) { case 0: do { x += 3; case 1: x--; } while (x > 5); }
    goto done;
    x = 7;
done:
    return x ? (int)x : 0;
}
double floats(float f, double d)
{
    f += d * 0.5f; d /= f; d = -d;
    return f > d ? f : d == 1e3 ? 0x1.8p3 : __builtin_fabs(d) + __builtin_sqrt(2.0);
}
int expressions(int n, struct point p, union word w)
{
    int vla[n], grid[n][n + 1];
    int *q = &vla[1], **qq = &q;
    char text[] = "text", *s = text;
    struct point copy = p, *pp = &copy, *lit = &(struct point){.x = n, 2};
    unsigned long long big = 1ull << 40;
    __int128 huge = (__int128)big * big;
    _Bool flag = q && *qq == q;
    long diff = q - vla;
    copy = (struct point){3, 4};
    (*pp).x = pp->y = lit->x, grid[0][1] = sizeof grid[0] + sizeof(struct list);
    n += flag ? : 3;
    s[0] ^= s[1]; *s++ = 'x'; --*s; q += 2; q--;
    w.half.lo = (short)n; w.bytes[3] |= 0x80;
    flag = !flag; flag++; huge >>= 3;
    n = ({ int t = n; __typeof__(t) u = t * 2; u + 1; });
    n = _Generic(big, int: 1, unsigned long long: 2, default: 3);
    n = __builtin_offsetof(struct list, tail[n]) == 0 ? 1 : 0;
    return (int)(diff + (long)huge) + handlers[n & 1](n, -n) + add(1, 2) + words[0][1] + __builtin_popcount(n);
}
int builtins(int a, unsigned b, int *out)
{
    if (__builtin_expect(a > 3, 0) && __builtin_add_overflow(a, b, out)) __builtin_unreachable();
    return __builtin_clz(b | 1) + __builtin_bswap32(b) + __builtin_constant_p(3)
        + __builtin_types_compatible_p(int, signed) + __sync_fetch_and_add(out, 1)
        + __builtin_choose_expr(1, a, "no") + (int)__builtin_strlen("abc") + __builtin_isnan(1.0);
}
static int statics(void) { static int count = 3; static const int limit = sizeof(int[4]); return count++ < limit; }
void *computed(int i) { static void *targets[] = {&&one, &&two}; goto *targets[i]; one: return 0; two: return (void *)1; }
long double unsupported(long double x) { __asm__ volatile("nop"); return x * 2; }
int main(int argc, char **argv)
{
    auto int local = origin.x; register int r = local; volatile int v = r;
    extern int later[];
    return loops(argc, later, 0) + v + statics() + variadic(2, 1, 2) + (argv[0] != 0) + ranged[2] + table[1][0];
}
