//! Evaluation order, where C leaves it open: what gcc 12 at -O0 on x86-64 does.

use super::returns;

const TRACE: &str =
    "int trace; int a[10]; int g = 1; int t(int n) { trace = trace * 10 + n; return n; }
    int *p(int n) { trace = trace * 10 + n; return a + n; } int set(int v) { g = v; return v; }
    int three(int x, int y, int z) { return x * 100 + y * 10 + z; } ";

#[track_caller]
fn traces(statements: &str, expected: i32) {
    returns(&format!("{TRACE} int main(void) {{ {statements} return trace; }}"), expected);
}

#[test]
fn arguments_are_evaluated_right_to_left() {
    traces("three(t(1), t(2), t(3));", 321);
    returns(&format!("{TRACE} int main(void) {{ return three(g, set(5), g); }}"), 551);
}

#[test]
fn operands_are_evaluated_left_to_right() {
    traces("int r = t(1) * t(2) + t(3) * t(4);", 1234);
    traces("int r = t(1) < t(2);", 12);
}

#[test]
fn the_right_side_of_an_assignment_comes_first_unless_it_is_a_call() {
    traces("*p(1) = 1 + t(2);", 21);
    traces("*p(1) = t(2);", 12);
    traces("*p(1) = (t(2), t(3));", 213);
    traces("*p(1) = *p(2) = t(3);", 231);
    traces("*p(1) = t(2) ? t(3) : t(4);", 231);
}

#[test]
fn the_right_side_of_a_compound_assignment_always_comes_first() {
    traces("*p(1) += t(2);", 21);
    returns(&format!("{TRACE} int main(void) {{ g += set(5); return g; }}"), 10);
}

#[test]
fn a_plain_variable_is_read_after_the_other_operand_where_operands_may_be_exchanged() {
    returns(&format!("{TRACE} int main(void) {{ return g + set(5); }}"), 10);
    returns(&format!("{TRACE} int main(void) {{ return g - set(5); }}"), -4);
}
