//! Inputs of C code as it is written: several pointers into one array, headers in front of what a pointer points to,
//! structures behind `void *`. The tests that are written compile, run and reach what they say.

use glassbox_testkit::suite::{generate_for, goals_with, make_passes, texts};

/// Every goal is covered, and the tests that are written pass.
fn covers_all(program: &str, args: &[&str]) {
    let (folder, suite, output) = generate_for(program, args);
    for verdict in ["infeasible", "infeasible-within", "unknown"] {
        let left = texts(&goals_with(&suite, verdict));
        assert!(
            left.is_empty(),
            "{verdict}: {left:?}\n{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    make_passes(folder.path());
}

#[test]
fn a_difference_of_pointers_has_both_signs() {
    covers_all(
        "int f(const int *begin, const int *end) {\n\
         \x20   if (end - begin >= 6) return 1;\n\
         \x20   if (begin - end > 2) return 2;\n\
         \x20   return 0;\n}\n",
        &[],
    );
}

#[test]
fn pointers_of_a_ring_buffer_share_its_array() {
    covers_all(
        "struct ring { char *head; char *tail; char *rd; unsigned size; };\n\
         int back(struct ring *r) {\n\
         \x20   if (!r || r->size == 0) return 0;\n\
         \x20   r->rd -= r->size;\n\
         \x20   if (r->rd < r->head) { r->rd = r->tail - r->size; return 1; }\n\
         \x20   return 2;\n}\n\
         int used(const struct ring *r) { if (r->tail - r->head > 4) return 1; return 0; }\n",
        &[],
    );
}

#[test]
fn records_that_are_compared_by_order_are_elements_of_an_array() {
    covers_all(
        "struct item { int key; int value; };\n\
         int count(struct item *end, struct item *begin) {\n\
         \x20   if (end - begin == 2) return begin[1].key == 7;\n\
         \x20   return 0;\n}\n",
        &[],
    );
}
