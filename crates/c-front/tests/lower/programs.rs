//! What programs compute.

use super::returns;

#[test]
fn locals_live_anew_in_each_iteration() {
    returns(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = 0; x += i; s += x; } return s; }",
        3,
    );
}

#[test]
fn continue_in_a_do_loop_goes_to_the_test() {
    returns(
        "int main(void) { int i = 0, n = 0; do { i++; if (i == 2) continue; n += i; } while (i < 4); return n; }",
        8,
    );
}

#[test]
fn cases_fall_through_and_ranges_match() {
    let text = "int f(int x) { int r = 0; switch (x) { case 1: r++; case 2 ... 4: r += 10; break;
                case -3: r = 7; break; default: r = 100; } return r; }
                int main(void) { return f(1) + f(3) * 2 + f(-3) * 100 + f(9) * 1000; }";
    returns(text, 11 + 20 + 700 + 100_000);
}

#[test]
fn duffs_device_jumps_into_the_loop() {
    let text = "int f(int n) { int r = 0; switch (n % 4) { case 0: do { r += 1; case 3: r += 10;
                case 2: r += 100; case 1: r += 1000; } while ((n -= 4) > 0); } return r; }
                int main(void) { return f(1) + f(7); }";
    returns(text, 1000 + 1110 + 1111);
}

#[test]
fn a_switch_into_a_scope_starts_its_locals() {
    let text = "int f(int x) { switch (x) { { int y; case 1: y = 5; return y; case 2: y = 7; return y * 2; } }
                return 0; } int main(void) { return f(1) * 100 + f(2); }";
    returns(text, 514);
}

#[test]
fn goto_leaves_and_enters_scopes() {
    let text = "int main(void) { int i = 0, r = 0; again: if (i < 5) { int k = i * 2; r += k;
                { int z = k; if (z == 6) goto out; } i++; goto again; } out: return r; }";
    returns(text, 12);
}

#[test]
fn computed_goto_goes_to_the_label_of_the_table() {
    let text =
        "int f(int x) { static void *t[] = { &&a, &&b }; goto *t[x]; a: return 1; b: return 22; }
                int main(void) { return f(0) + f(1); }";
    returns(text, 23);
}

#[test]
fn variable_length_arrays_have_run_time_sizes() {
    let text = "int main(void) { int n = 3, s = 0; for (int i = 1; i <= n; i++) { int v[i][n]; v[i - 1][2] = i;
                if (i == 2) continue; s += v[i - 1][2] + (int)sizeof v; } return s; }";
    returns(text, 1 + 12 + 3 + 36);
}

#[test]
fn bit_fields_keep_their_width_and_sign() {
    let text = "struct B { unsigned a : 3; signed b : 7; unsigned long c : 40; _Bool d : 1; };
                int main(void) { struct B b = { 9, -3, 0, 5 }; int q = (b.a += 14); b.b *= 20; b.c--;
                return q * 1000 + b.b + b.d + (b.c == 0xffffffffffUL); }";
    returns(text, 7 * 1000 - 60 + 1 + 1);
}

#[test]
fn records_are_copied_passed_and_returned() {
    let text = "struct P { int x, y; char c[3]; }; struct P swap(struct P p) { int t = p.x; p.x = p.y; p.y = t; return p; }
                int main(void) { struct P a = { 1, 2, \"ab\" }, b = swap(a); a = b; b.x = 9;
                return a.x * 100 + a.y * 10 + swap(a).x + a.c[1]; }";
    returns(text, 210 + 1 + 98);
}

#[test]
fn designators_ranges_and_strings_initialize() {
    let text = "int g[10] = { [2 ... 5] = 3, [8] = 1, 4 }; char s[6] = \"hi\"; int m[2][3] = { { 1 }, [1][1] = 7 };
                int main(void) { int l[100] = { [3 ... 99] = 2 }; int sum = 0;
                for (int i = 0; i < 10; i++) sum += g[i]; for (int i = 0; i < 100; i++) sum += l[i];
                return sum + s[1] + s[5] + m[1][1] + m[0][2]; }";
    returns(text, 17 + 194 + 105 + 7);
}

#[test]
fn compound_literals_are_objects() {
    let text = "struct P { int x, y; }; int f(const int *p) { return p[0] * 10 + p[1]; }
                int *g = (int[]) { 5, 6 }; int main(void) { struct P *p = &(struct P) { .y = 4 }; p->x += 3;
                return f((int[]) { 1, 2 }) + p->x + p->y + g[1]; }";
    returns(text, 12 + 7 + 6);
}

#[test]
fn variable_arguments_arrive_in_order() {
    let text = "typedef __builtin_va_list va_list; struct P { int x; double y; };
                double sum(const char *f, ...) { va_list ap; __builtin_va_start(ap, f); double r = 0;
                for (; *f; f++) switch (*f) { case 'i': r += __builtin_va_arg(ap, int); break;
                case 'd': r += __builtin_va_arg(ap, double); break;
                case 'p': { struct P p = __builtin_va_arg(ap, struct P); r += p.x + p.y; } }
                __builtin_va_end(ap); return r; }
                int main(void) { struct P p = { 100, 0.5 }; return (int)sum(\"idpi\", 1, 2.5f, p, (char)3); }";
    returns(text, 107);
}

#[test]
fn old_style_parameters_arrive_promoted() {
    let text = "int f(a, b, c) char a; short b; float c; { return a + b + (int)c; }
                int main() { return f(300, 70000, 2.9f); }";
    returns(text, 44 + 4464 + 2);
}

#[test]
fn functions_are_called_through_pointers() {
    let text = "static int inc(int x) { return x + 1; } static int dbl(int x) { return x * 2; }
                int (*table[])(int) = { inc, &dbl }; int (*pick(int c))(int) { return c ? *inc : dbl; }
                int main(void) { return pick(1)(5) * 100 + (*table[1])(7); }";
    returns(text, 614);
}

#[test]
fn statement_expressions_and_missing_middle_operands() {
    let text = "int n; int f(void) { n++; return 6; } struct P { int x; };
                int main(void) { int z = ({ int t = 5; t *= 3; t + 1; }); struct P p = ({ struct P q = { 4 }; q; });
                return (f() ?: 9) * 1000 + z * 10 + p.x + n; }";
    returns(text, 6000 + 160 + 4 + 1);
}

#[test]
fn integer_conversions_truncate_extend_and_promote() {
    let text = "int main(void) { unsigned char u = 250; u += 10; signed char s = -128; s--; short h = 32767; h++;
                _Bool b = 0.5; b += 5; unsigned w = 3; return u + s + (h == -32768) * 1000 + b
                + (w - 5 > 0) * 10000 + ((unsigned char)200 + (unsigned char)100); }";
    returns(text, 4 + 127 + 1000 + 1 + 10000 + 300);
}

#[test]
fn wide_integers_and_floats_compute_exactly() {
    let text = "int main(void) { long long l = 1LL << 40; __int128 w = (__int128)l * l; double d = 7.9; float f = d;
                return (int)(w >> 78) * 1000 + (int)-d + (int)(f * 2.0f) * 10 + (d > 7 && f != d); }";
    returns(text, 4000 - 7 + 150 + 1);
}

#[test]
fn static_locals_keep_their_values() {
    let text = "int next(void) { static int n = 5; return n++; } int main(void) { next(); next(); return next(); }";
    returns(text, 7);
}

#[test]
fn unions_share_their_bytes() {
    let text = "union U { float f; unsigned u; unsigned char b[4]; };
                int main(void) { union U u; u.f = 1.5f; return (int)(u.u >> 20) + u.b[3]; }";
    returns(text, 0x3fc + 0x3f);
}

#[test]
fn falling_off_the_end_is_fine_when_no_one_uses_the_result() {
    returns("int n; f() { n = 4; } int main(void) { f(); f(); return n; }", 4);
}

#[test]
fn main_returns_zero_at_its_end() {
    returns("int main(void) { int x = 5; x++; }", 0);
}

#[test]
fn overflow_builtins_give_the_wrapped_result() {
    let text = "int main(void) { int r; unsigned char c; long l; int o = __builtin_add_overflow(2147483647, 1, &r);
                int p = __builtin_mul_overflow(20, 20, &c); int q = __builtin_sub_overflow(1u, 2u, &l);
                return o * 100 + p * 10 + q + (r == -2147483647 - 1) * 1000 + (c == 144) * 2000 + (l == -1) * 4000; }";
    returns(text, 110 + 7000);
}

#[test]
fn bit_counting_builtins() {
    let text = "int main(void) { return __builtin_clz(1) + __builtin_ctz(8) * 100 + __builtin_popcountl(255UL) * 1000
                + __builtin_ffs(0) + __builtin_parity(7) * 10000 + (__builtin_bswap32(1) == 1 << 24) * 100000; }";
    returns(text, 31 + 300 + 8000 + 10000 + 100_000);
}

/// As in `DBL_MAX` of <float.h>. gcc gives the same numbers: they are rounded twice.
#[test]
fn long_double_literals_become_exact_doubles() {
    returns(
        "int main(void) { return ((double)1.79769313486231570814527423731704357e+308L == 0x1.fffffffffffffp1023)\n\
         + 2 * ((double)9007199254740993.00000000000000000001L == 9007199254740992.0)\n\
         + 4 * ((float)0x1.0000010000000001p0L == 1.0f) + 8 * ((double)2.22044604925031308084726333618164062e-16L == 0x1p-52); }",
        15,
    );
    returns("double d = 0.5L; int main(void) { double e = 0.25L; return (int)(8 * (d + e)); }", 6);
}

#[test]
fn attributes_in_brackets_and_separated_digits_are_read() {
    returns(
        "[[nodiscard]] static int f([[maybe_unused]] int x) { switch (x) { case 1: x = 1'0'00; [[fallthrough]]; default: break; }\n\
         [[maybe_unused]] int y = 0b1'0; return x + y; } int main(void) { return f(1); }",
        1002,
    );
}
