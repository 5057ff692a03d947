/* Small functions over every kind of input. */
#include <stddef.h>

/* Scalars. */
int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }
int is_leap(unsigned year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
int clamp(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }
int magic(int x, int y) { if (x * 7 + y * 3 == 12345 && x - y == 678) return 1; return 0; }
unsigned char add8(unsigned char a, unsigned char b) { unsigned char c = a + b; if (c < a) return 255; return c; }
long mix(short a, char b, long c) { if (a == -300 && b == 'x' && c > 1000000000000L) return c; return 0; }
int bits(unsigned x) { if ((x & 0xff00) == 0x4200 && (x >> 28) == 0xA) return 1; return 0; }
_Bool both(_Bool a, _Bool b) { return a && b; }

/* Enums and switch. */
enum color { RED, GREEN = 5, BLUE };
int shade(enum color c) { switch (c) { case RED: return 1; case GREEN: return 2; case BLUE: return 3; } return 0; }
int grade(int points) { switch (points / 10) { case 10: case 9: return 'A'; case 8: return 'B'; case 7: return 'C'; default: return 'F'; } }

/* Floats. */
int near_pi(double x) { return x > 3.14159 && x < 3.1416; }
float scale(float x) { if (x * 2.0f == 7.0f) return 1.0f; return 0.0f; }
int nan_test(double x) { if (x != x) return 1; return 0; }
double half(double x) { if (x / 2.0 > 1e300) return 1; if (x + 1.0 == x && x > 0) return 2; return 0; }

/* Pointers. */
int deref(const int *p) { if (p == NULL) return -1; if (*p == 42) return 1; return 0; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int alias(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }
int pp(int **p) { if (p && *p && **p == 7) return 1; return 0; }

/* Arrays and strings. */
int sum3(const int a[3]) { int s = a[0] + a[1] + a[2]; if (s == 100) return 1; return 0; }
int find(const int *a, int n, int key) { for (int i = 0; i < n; i++) if (a[i] == key) return i; return -1; }
int sorted(const int *a, unsigned n) { for (unsigned i = 1; i < n; i++) if (a[i - 1] > a[i]) return 0; return 1; }
size_t length(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int is_hello(const char *s) { return s[0] == 'h' && s[1] == 'i' && s[2] == 0; }
int table[4] = {3, 1, 4, 1};
int lookup(unsigned i) { if (i < 4 && table[i] == 4) return 1; return 0; }
static const int primes[] = {2, 3, 5, 7, 11, 13};
int is_small_prime(int x) { for (int i = 0; i < 6; i++) if (primes[i] == x) return 1; return 0; }

/* Records. */
struct point { int x, y; };
struct rect { struct point a, b; };
int inside(struct rect r, struct point p) { return p.x >= r.a.x && p.x < r.b.x && p.y >= r.a.y && p.y < r.b.y; }
struct point move(struct point p, int dx) { if (dx < 0) p.x = 0; else p.x += dx; return p; }
void mirror(struct point *p) { if (p->x > p->y) { int t = p->x; p->x = p->y; p->y = t; } }
union number { int i; float f; unsigned char bytes[4]; };
int is_one(union number n) { if (n.f == 1.0f) return 1; if (n.bytes[3] == 0x80) return 2; return 0; }
struct flags { unsigned ready : 1; unsigned mode : 3; int level : 4; };
int flag_test(struct flags f) { if (f.ready && f.mode == 5 && f.level < 0) return 1; return 0; }

/* Recursive structures. */
struct node { int value; struct node *next; };
int list_length(const struct node *n) { int k = 0; while (n) { k++; n = n->next; if (k > 3) return -1; } return k; }
int list_has(const struct node *n, int v) { for (; n; n = n->next) if (n->value == v) return 1; return 0; }
struct tree { int key; struct tree *left, *right; };
int tree_find(const struct tree *t, int key) { while (t) { if (key == t->key) return 1; t = key < t->key ? t->left : t->right; } return 0; }

/* Pointers into the same array. */
int sum_range(const int *begin, const int *end) { int s = 0; while (begin < end) s += *begin++ & 15; if (s == 30) return 1; return 0; }
int second_after(int *a, int *b) { if (b == a + 2 && *b == 5) return 1; return 0; }

/* Unions with pointers, literals, static variables. */
union content { int i; const char *s; struct { double d; const char *t; } p; };
struct variant { int tag; union content c; };
int visit(struct variant v) { if (v.tag == 0) return v.c.i == 77; if (v.tag == 1) return v.c.s[0] == 'x'; return v.c.p.d > 2.5 && v.c.p.t && v.c.p.t[1] == 'q'; }
const char *size_name(int x) { if (x > 3) return "big?\n"; return "small"; }
int *static_slot(int x) { static int slot; slot = x; if (x) return &slot; return 0; }
int third_call(void) { static int n; n++; if (n == 3) return 1; return 0; }

/* Functions. */
static int twice(int x) { return x * 2; }
static int negate(int x) { return -x; }
int apply(int (*f)(int), int x) { if (!f) return 0; if (f(x) == 10) return 1; return 2; }
int use_both(int x) { int (*f)(int) = x > 0 ? twice : negate; if (f(x) == 14) return 1; return 0; }
extern int sensor(void);
int read_twice(void) { int a = sensor(); int b = sensor(); if (a > b) return 1; if (a == b) return 0; return -1; }

/* Globals and state. */
int counter;
static int limit = 3;
int tick(void) { if (++counter > limit) { counter = 0; return 1; } return 0; }

/* Recursion and loops. */
unsigned factorial(unsigned n) { return n <= 1 ? 1 : n * factorial(n - 1); }
int is_720(unsigned n) { if (n < 10 && factorial(n) == 720) return 1; return 0; }
unsigned gcd(unsigned a, unsigned b) { while (b) { unsigned t = a % b; a = b; b = t; } return a; }
int collatz(unsigned n) { int k = 0; if (n == 0 || n > 30) return -1; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } if (k == 18) return 1; return 0; }
int goto_loop(int n) { int i = 0; if (n > 5) return -1; again: if (i < n) { i++; goto again; } return i; }

/* Errors that valid runs avoid. */
int divide(int a, int b) { if (a / b == 3) return 1; return 0; }
int overflow(int a, int b) { if (a + b > 2147483600) return 1; return 0; }
int shift(int x, int n) { if (x << n == 64) return 1; return 0; }

/* Runs that end in exit. */
extern void exit(int status);
int leave(int code) { if (code > 100) exit(3); if (code == 7) exit(code); return code; }

/* Wider scalars and conversions. */
int wide(long long a, unsigned long b) { if (a == -5000000000LL && b > 18000000000000000000UL) return 1; return 0; }
int narrow(signed char c) { if (c == -128) return 1; if (c + 1 > 127) return 2; return 0; }
int truncated(int x) { if ((char)x == 'q' && x > 1000) return 1; return 0; }
int rounded(double x) { if ((int)x == 41 && x != 41.0) return 1; return 0; }
int parity(unsigned x) { int odd = 0; for (int i = 0; i < 8; i++) odd ^= (x >> i) & 1; if (odd) return 1; return 0; }
int ternary(int a, int b) { return a > 0 ? (b > 0 ? 1 : 2) : (b == a ? 3 : 4); }

/* Nested memory. */
int diagonal(int m[2][2]) { if (m[0][0] == 1 && m[1][1] == 1 && m[0][1] == 0 && m[1][0] == 0) return 1; return 0; }
struct item { char name[4]; int price; };
int cheapest(const struct item *items, int n) { int best = -1; for (int i = 0; i < n && i < 3; i++) if (best < 0 || items[i].price < items[best].price) best = i; return best; }
int named(const struct item *item) { if (item && item->name[0] == 'o' && item->name[1] == 'k' && item->name[2] == 0) return item->price > 9; return -1; }
struct owner { struct item *item; struct owner *boss; };
int shared(const struct owner *o) { if (o && o->boss && o->item && o->item == o->boss->item) return 1; return 0; }
int self(const struct node *n) { if (n && n->next == n) return 1; return 0; }
struct tagged { int tag; union { int i; float f; } as; };
int untag(struct tagged t) { switch (t.tag) { case 0: return t.as.i == 11; case 1: return t.as.f > 2.5f; default: return -1; } }

/* Text. */
#include <string.h>
int command(const char *s) { if (strcmp(s, "go") == 0) return 1; if (strncmp(s, "no", 2) == 0) return 2; return 0; }
int digits(const char *s) { int n = 0; while (*s >= '0' && *s <= '9' && n < 4) { s++; n++; } return *s == 0 && n == 2; }
int copied(const char *s) { char buffer[4]; if (strlen(s) > 3) return -1; strcpy(buffer, s); if (buffer[0] == 'z') return 1; return 0; }

/* More state and functions. */
static int calls;
int third(void) { static int seen; calls++; seen++; if (seen == 3) return 1; return 0; }
struct operation { char sign; int (*apply)(int, int); };
static int plus(int a, int b) { return (a > 1000 || b > 1000 || a < -1000 || b < -1000) ? 0 : a + b; }
static int times(int a, int b) { return (a > 1000 || b > 1000 || a < -1000 || b < -1000) ? 0 : a * b; }
static const struct operation operations[] = {{'+', plus}, {'*', times}};
int calculate(char sign, int a, int b) { for (int i = 0; i < 2; i++) if (operations[i].sign == sign) return operations[i].apply(a, b) == 35; return -1; }
extern int next_byte(void *source);
int header(void *source) { int a = next_byte(source); if (a < 0) return -1; if (a == 0x7f && next_byte(source) == 'E') return 1; return 0; }

/* Functions that callers pass and nobody has written. */
int rated(int (*score)(const char *, double), const char *s) { if (!score) return -1; if (score(s, 0.5) > 7) return score("x", 1.0) < 0 ? 1 : 2; return 0; }
struct handlers { struct point (*start)(int); int (*next)(void *state, short step); void (*stop)(void *state); };
int run_handlers(const struct handlers *h, void *state) { if (!h || !h->next || !h->start) return -1; struct point p = h->start(3); int n = h->next(state, 1) ^ h->next(state, 2); if (h->stop) h->stop(state); if (p.x == 5 && n == 12) return 1; return 0; }
static float (*hook)(float);
int hooked(void) { if (hook && hook(2.0f) == 1.5f) return 1; return 0; }
int is_same_hook(int (*a)(long), int (*b)(long)) { if (a == b) return 1; return a && b && a(1) > b(2); }

/* Undefined functions that fill memory or return records. */
extern int read_sensor(int *out);
int polled(void) { int v; if (read_sensor(&v) != 0) return -1; if (v > 100) return 1; return 0; }
extern struct point origin(void);
int at_three(void) { struct point p = origin(); if (p.x == 3 && p.y == -4) return 1; return 0; }
extern void fill(char *buffer, int n);
int filled(void) { char b[4]; fill(b, 4); if (b[0] == 'o' && b[1] == 'k' && !b[2]) return 1; return 0; }
extern _Bool load_item(struct item *to);
int loaded(struct item *it) { it->price = 1; if (!load_item(it)) return -1; if (it->price == 30 && it->name[0] == 'z') return 1; return 0; }
extern long fetch(void *to, unsigned long n);
int fetched(void) { double d; if (fetch(&d, sizeof d) != sizeof d) return -1; return d > 2.5; }
extern int next_node(struct node **at);
int walked(void) { struct node *n = 0; int k = 0; while (next_node(&n) && n && k < 2) { if (n->value == 9) return 1; k++; } return 0; }
