//! The library models, compiled and run.

use super::returns;

const STRING: &str = "typedef unsigned long size_t; size_t strlen(const char *); char *strcpy(char *, const char *);
char *strcat(char *, const char *); int strcmp(const char *, const char *); char *strchr(const char *, int);
char *strstr(const char *, const char *); char *strtok(char *, const char *); int memcmp(const void *, const void *, size_t);
char *strncpy(char *, const char *, size_t); void *memset(void *, int, size_t); void *memmove(void *, const void *, size_t);
char *strdup(const char *); void free(void *); ";

#[test]
fn strings() {
    let text = format!("{STRING} int main(void) {{ char b[20]; strcpy(b, \"foo\"); strcat(b, \"bar\");
        char *d = strdup(b); int r = (strcmp(d, b) == 0) * 10 + (int)strlen(d); free(d);
        r += (strchr(b, 'b') - b) * 100 + (strstr(b, \"oba\") - b) * 1000 + (memcmp(b, \"fop\", 3) < 0) * 10000;
        char n[5]; strncpy(n, \"abcdefg\", 4); n[4] = 0; r += (strcmp(n, \"abcd\") == 0) * 100000; return r; }}");
    returns(&text, 10 + 6 + 300 + 2000 + 10000 + 100_000);
}

#[test]
fn tokens_and_overlapping_moves() {
    let text = format!("{STRING} int main(void) {{ char s[] = \",a,,bc;d\"; int n = 0;
        for (char *t = strtok(s, \",;\"); t; t = strtok(0, \",;\")) n = n * 10 + (int)strlen(t);
        char m[6] = \"abcde\"; memmove(m + 1, m, 4); memset(m, 'z', 1); return n * 10 + (strcmp(m, \"zabcd\") == 0); }}");
    returns(&text, 1211);
}

#[test]
fn numbers_from_text() {
    let text = "long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int); int atoi(const char *);
        int *__errno_location(void);
        int main(void) { char *e; long v = strtol(\"  -0x1fz\", &e, 0); int r = (int)v * 10 + (*e == 'z');
        r += (strtol(\"99999999999999999999\", 0, 10) == 0x7fffffffffffffffL && *__errno_location() == 34) * 1000;
        r += (strtoul(\"-1\", 0, 10) == ~0UL) * 2000; return r + atoi(\"42abc\") + (strtol(\"0x\", &e, 16) == 0 && *e == 'x') * 4000; }";
    returns(text, -310 + 1 + 7000 + 42);
}

#[test]
fn floating_numbers_from_text() {
    // Without a library function behind it: these are computed by the model alone.
    let text = "double strtod(const char *, char **); float strtof(const char *, char **); double atof(const char *);
        int main(void) { char *e; int r = strtod(\"  -42.5e1x\", &e) == -425 && *e == 'x';
        r += (strtod(\"0.1\", 0) == 0.1) * 2 + (strtod(\"123456789012345e-22\", 0) == 123456789012345e-22) * 4;
        const char *s = \".e3\"; r += (strtod(s, &e) == 0 && e == s) * 8 + (strtod(\"1e+\", &e) == 1 && *e == 'e') * 16;
        double z = strtod(\"-0.000e9999\", &e); r += (z == 0 && 1 / z < 0 && *e == 0) * 32;
        r += (strtof(\"16777.215\", 0) == 16777.215f) * 64 + (strtof(\".7e-9\", 0) == .7e-9f) * 128;
        r += (atof(\"00000000000000000000001.50000\") == 1.5) * 256; return r; }";
    returns(text, 511);

    let text = "double strtod(const char *, char **); float strtof(const char *, char **); int *__errno_location(void);
        static int ranged(void) { int is = *__errno_location() == 34; *__errno_location() = 0; return is; }
        int main(void) { char *e; int r = strtod(\"1e309!\", &e) > 1.7e308 && *e == '!' && ranged();
        r += (strtod(\"-9.9e123456789123\", 0) < -1.7e308 && ranged()) * 2;
        double z = strtod(\"-999999999999999e-346\", &e); r += (z == 0 && 1 / z < 0 && *e == 0 && ranged()) * 4;
        r += (strtof(\"-1e39\", 0) < -3.4e38f && ranged()) * 8 + (strtof(\"9e-61\", 0) == 0 && ranged()) * 16;
        r += (strtod(\"0e999999\", &e) == 0 && *e == 0 && !ranged()) * 32; return r; }";
    returns(text, 63);
}

#[test]
fn sorting_is_stable_and_searching_finds() {
    let text = "typedef unsigned long size_t; struct E { int key, tag; };
        void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
        void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
        int cmp(const void *a, const void *b) { return ((struct E *)a)->key - ((struct E *)b)->key; }
        int main(void) { struct E a[] = { { 3, 1 }, { 1, 2 }, { 3, 3 }, { 2, 4 }, { 1, 5 } }; int r = 0;
        qsort(a, 5, sizeof *a, cmp); for (int i = 0; i < 5; i++) r = r * 10 + a[i].tag;
        struct E k = { 2, 0 }, *f = bsearch(&k, a, 5, sizeof *a, cmp); return r + (f == a + 2) * 100000; }";
    returns(text, 25413 + 100_000);
}

#[test]
fn random_numbers_are_those_of_glibc() {
    let text = "int rand(void); void srand(unsigned); int main(void) { int a = rand() == 1804289383 && rand() == 846930886;
        srand(42); return a * 10 + (rand() == 71876166); }";
    returns(text, 11);
}

#[test]
fn allocation() {
    let text = "typedef unsigned long size_t; void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
        int main(void) { int *p = calloc(3, 4); p[1] = 4; p = realloc(p, 40); p[9] = 5; int r = p[0] + p[1] * 10 + p[9];
        free(p); free(0); return r + (calloc(~0UL, 2) == 0) * 100; }";
    returns(text, 145);
}

#[test]
fn character_classes_by_function_and_by_table() {
    let text = "int isalpha(int); int toupper(int); const unsigned short **__ctype_b_loc(void);
        int main(void) { return (isalpha('x') != 0) + (isalpha('1') != 0) * 2 + ((*__ctype_b_loc())['7'] & 2048) + toupper('a'); }";
    returns(text, 1 + 2048 + 65);
}

#[test]
fn a_program_may_define_a_library_function_itself() {
    returns(
        "unsigned long strlen(const char *s) { return 99; } int main(void) { return (int)strlen(\"abc\"); }",
        99,
    );
}

#[test]
fn old_declarations_with_other_integer_types_still_mean_the_library() {
    returns("int strlen(char *); int main() { return strlen(\"hello\"); }", 5);
}

#[test]
fn models_are_reached_through_pointers() {
    let text = "unsigned long strlen(const char *); int main(void) { unsigned long (*f)(const char *) = strlen; return (int)f(\"four\"); }";
    returns(text, 4);
}

#[test]
fn float_functions_are_instructions() {
    let text = "double sqrt(double); double floor(double); float fabsf(float); double fmax(double, double); double fma(double, double, double);
        int main(void) { return (int)(sqrt(16.0) + floor(-1.5) * 10 + fabsf(-3.0f) * 100 + fmax(1, 2) * 1000 + fma(2, 3, 4) * 10000); }";
    returns(text, 4 - 20 + 300 + 2000 + 100_000);
}
