//! Inputs of C code as it is written: several pointers into one array, headers in front of what a pointer points to,
//! structures behind `void *`. The tests that are written compile, run and reach what they say.

use glassbox_testkit::command::printed_about;
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

/// The length of the text and its bytes are open on paths; the interpreter judges.
#[test]
fn paths_go_on_behind_formatted_numbers() {
    let program = "int sprintf(char *, const char *, ...);\nint snprintf(char *, unsigned long, const char *, ...);\n\
         int shown(int x, int limit)\n{\n    char text[12];\n    int length = sprintf(text, \"%d\", x);\n    \
         if (limit == 987654) return length;\n    if (text[0] == '-') return -1;\n    return 0;\n}\n\
         int escaped(unsigned char c)\n{\n    char text[4];\n    if (snprintf(text, sizeof text, \"u%04x\", c) < 5) return 1;\n    \
         if (text[0] != 'u') return 2;\n    return 0;\n}\n";
    let (folder, suite, output) = generate_for(program, &[]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(texts(&goals_with(&suite, "unknown")).len(), 0, "{printed}");
    let refuted = texts(&goals_with(&suite, "infeasible"));
    assert_eq!(refuted.len(), 2, "{printed}");
    make_passes(folder.path());
}

/// Letters of the format and of its arguments are known one by one, whoever holds the arguments.
#[test]
fn text_of_formats_is_followed() {
    covers_all(
        "#include <stdarg.h>\n#include <stdio.h>\n#include <string.h>\n\
         int joined(const char *user) {\n    char text[32];\n\
         \x20   snprintf(text, sizeof text, \"<%s:%c>\", user, 'x');\n\
         \x20   if (strcmp(text, \"<ab:x>\") == 0) return 1;\n    return 0;\n}\n\
         static int put(char *to, unsigned long room, const char *format, ...) {\n    va_list list;\n\
         \x20   va_start(list, format);\n    int n = vsnprintf(to, room, format, list);\n    va_end(list);\n    return n;\n}\n\
         int cut(const char *name, int width) {\n    char text[8];\n\
         \x20   int n = put(text, sizeof text, \"%*d%.2s|\", width, 0, name);\n\
         \x20   if (n == 6 && text[4] == 'b') return 1;\n    return 0;\n}\n",
        &[],
    );
}

/// A format that is an input may be any text without a conversion.
#[test]
fn formats_that_are_inputs_are_followed_as_far_as_they_convert_nothing() {
    let program = "#include <stdio.h>\nint shown(const char *format) {\n    char text[16];\n\
                   \x20   int n = snprintf(text, sizeof text, format);\n    if (n == 2 && text[1] == 'z') return 1;\n    return 0;\n}\n";
    let (folder, suite, output) = generate_for(program, &[]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(texts(&goals_with(&suite, "unknown")).len(), 0, "{printed}");
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

#[test]
fn what_lies_in_front_of_a_pointer_is_an_input() {
    covers_all(
        "struct hdr { unsigned short len; unsigned char flags; };\n\
         int payload_len(const unsigned char *payload) {\n\
         \x20   const struct hdr *h = (const struct hdr *)payload - 1;\n\
         \x20   if (h->flags & 1u) return -1;\n\
         \x20   if (h->len > 8) return 1;\n\
         \x20   return 0;\n}\n\
         int last_is_newline(const char *end) {\n\
         \x20   if (!end) return -1;\n\
         \x20   if (end[-1] == '\\n') return 1;\n\
         \x20   return 0;\n}\n",
        &[],
    );
}

#[test]
fn a_structure_around_a_list_node_has_its_own_members() {
    covers_all(
        "struct node { struct node *next, *prev; };\n\
         struct task { const char *name; long state; struct node link; int *owner; };\n\
         #define container_of(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))\n\
         int look(struct node *n) {\n\
         \x20   struct task *t;\n\
         \x20   if (n->next == n) return -1;\n\
         \x20   t = container_of(n, struct task, link);\n\
         \x20   if (t->state == 5) return 1;\n\
         \x20   if (t->name && t->name[0] == 'x') return 2;\n\
         \x20   if (t->owner && *t->owner == 7) return 3;\n\
         \x20   return container_of(n->next, struct task, link)->state > 9;\n}\n",
        &[],
    );
}

#[test]
fn casts_say_what_void_pointers_point_to() {
    covers_all(
        "struct dev { int id; struct dev *next; int (*read)(int); };\n\
         struct item { void *owner; };\n\
         int walk(void *p) {\n\
         \x20   struct dev *d = p;\n\
         \x20   if (!d) return -1;\n\
         \x20   if (d->next && d->next->id == 7) return 1;\n\
         \x20   if (d->read && d->read(3) > 5) return 2;\n\
         \x20   return 0;\n}\n\
         int owner(struct item *i) {\n\
         \x20   struct dev *d;\n\
         \x20   if (!i->owner) return -1;\n\
         \x20   d = i->owner;\n\
         \x20   return d->next && d->next->id > 2;\n}\n\
         int order(const void *a, const void *b) {\n\
         \x20   const char *l = *(const char *const *)a, *r = *(const char *const *)b;\n\
         \x20   return l[0] < r[0] ? -1 : l[0] > r[0];\n}\n",
        &[],
    );
}

#[test]
fn a_call_that_does_not_come_back_ends_the_test() {
    covers_all(
        "#include <stdlib.h>\n\
         void fatal(const char *what) __attribute__((noreturn));\n\
         int own(int *p) { if (!p) abort(); return *p > 3; }\n\
         int hook(int *p) { if (!p) fatal(\"p\"); return *p > 3; }\n",
        &[],
    );
}

#[test]
fn a_stub_ends_a_loop_without_end() {
    covers_all(
        "int get(void); void put(int);\n\
         void task(void *arg) {\n\
         \x20   int state = 0;\n\
         \x20   (void)arg;\n\
         \x20   for (;;) {\n\
         \x20       switch (get()) {\n\
         \x20       case 1: put(3); state++; break;\n\
         \x20       case 2: put(4); break;\n\
         \x20       default: break;\n\
         \x20       }\n\
         \x20       if (state == 3) put(5);\n\
         \x20   }\n}\n",
        &[],
    );
}

#[test]
fn a_pointer_may_be_aligned_or_not() {
    covers_all(
        "#include <stdint.h>\n\
         #include <stddef.h>\n\
         int align(const uint8_t *p) { if (((uintptr_t)p & 3u) == 0) return 1; return 0; }\n\
         void *set(void *d, int c, size_t n) {\n\
         \x20   unsigned char *p = d;\n\
         \x20   while (n && ((uintptr_t)p & 7u)) { *p++ = (unsigned char)c; n--; }\n\
         \x20   while (n >= 8) { *(uint64_t *)p = 0x0101010101010101ull * (unsigned char)c; p += 8; n -= 8; }\n\
         \x20   while (n--) *p++ = (unsigned char)c;\n\
         \x20   return d;\n}\n",
        &[],
    );
}

#[test]
fn a_member_that_holds_new_memory_is_not_null() {
    covers_all(
        "#include <stdlib.h>\n\
         #include <string.h>\n\
         struct item { int type; char *string; };\n\
         int replace(struct item *r, const char *s) {\n\
         \x20   if (r == 0 || s == 0) return 0;\n\
         \x20   if (r->string) free(r->string);\n\
         \x20   r->string = malloc(strlen(s) + 1);\n\
         \x20   strcpy(r->string, s);\n\
         \x20   return 1;\n}\n",
        &[],
    );
}

#[test]
fn earlier_calls_bring_static_variables_where_they_are_wanted() {
    let (folder, suite, output) = generate_for(
        "typedef enum { IDLE, ARMED, FIRED, FAULT } st_t;\n\
         int step(int ev) {\n\
         \x20   static st_t s = IDLE;\n\
         \x20   switch (s) {\n\
         \x20   case IDLE: if (ev == 1) s = ARMED; break;\n\
         \x20   case ARMED: if (ev == 2) s = FIRED; else if (ev == 3) s = FAULT; break;\n\
         \x20   case FIRED: s = IDLE; break;\n\
         \x20   case FAULT: if (ev > 7) return -1; s = IDLE; break;\n\
         \x20   default: return -99;\n\
         \x20   }\n\
         \x20   return (int)s;\n}\n",
        &[],
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(goals_with(&suite, "covered").len(), 12, "{text}");
    // No number of calls leads to the default; that more than a few were not tried is said.
    let left = texts(&goals_with(&suite, "infeasible-within"));
    assert_eq!(left.len(), 1, "{text}");
    make_passes(folder.path());
}

const DEVICE: &str = "typedef struct { volatile unsigned CR, SR, DR, AFR[2]; } UART;\n\
    #define UART1 ((UART *)0x40011000u)\n\
    #define CLOCK (*(volatile unsigned *)0x40023800u)\n\
    static UART *const ports[] = { UART1, (UART *)0x40011400u };\n";

#[test]
fn registers_at_fixed_addresses_are_inputs_and_results() {
    let program = format!(
        "{DEVICE}\
         int receive(unsigned char *out) {{\n\
         \x20   int left = 3;\n\
         \x20   while (!(UART1->SR & 0x20u)) {{ if (--left == 0) return -1; }}\n\
         \x20   *out = (unsigned char)UART1->DR;\n\
         \x20   return 0;\n}}\n\
         void start(int fast) {{ if (fast) CLOCK |= 1u; else CLOCK &= ~1u; }}\n\
         int ready(unsigned port) {{ return port < 2 && ports[port]->SR == 7; }}\n\
         void choose(unsigned pin) {{ if (pin < 16) UART1->AFR[pin >> 3] |= pin & 7; }}\n\
         unsigned long place(void) {{ return CLOCK == 5 ? (unsigned long)&UART1->DR : 0; }}\n"
    );
    covers_all(&program, &[]);
}

/// What lies beside a register is up to the machine: neither an error nor a proof.
#[test]
fn what_lies_beside_a_register_is_not_known() {
    let program = format!(
        "{DEVICE}int beside(int n) {{ volatile unsigned *p = &CLOCK; return p[n] == 3; }}\n"
    );
    let folder = glassbox_testkit::folder::empty();
    let printed = printed_about(&program, folder.path(), "check", &[]);
    assert!(printed.contains("memory at a fixed address"), "{printed}");
    assert!(printed.ends_with("VERDICT: unknown\n"), "{printed}");
}

#[test]
fn addresses_of_registers_are_numbers() {
    let program = format!(
        "#include <assert.h>\n{DEVICE}\
         void next(void) {{\n\
         \x20   volatile unsigned *clock = &CLOCK;\n\
         \x20   assert(clock + 1 == (volatile unsigned *)0x40023804u);\n\
         \x20   assert((unsigned long)clock == 0x40023800u);\n}}\n"
    );
    let folder = glassbox_testkit::folder::empty();
    let printed = printed_about(&program, folder.path(), "check", &["--assertions-only"]);
    assert!(!printed.contains("violated") && !printed.contains("VERDICT: false"), "{printed}");
    assert!(printed.contains("the machine has memory"), "{printed}");
}

#[test]
fn allocations_fail_where_goals_need_it() {
    covers_all(
        "#include <stdlib.h>\n#include <string.h>\n\
         struct list { int *items; unsigned n, room; };\n\
         int push(struct list *l, int item) {\n\
         \x20   if (l->n == l->room) {\n\
         \x20       unsigned room = l->room ? l->room * 2 : 4;\n\
         \x20       if (l->room > 1000) return -2;\n\
         \x20       int *items = malloc(room * sizeof *items);\n\
         \x20       if (!items) return -1;\n\
         \x20       if (l->n) memcpy(items, l->items, l->n * sizeof *items);\n\
         \x20       l->items = items;\n\
         \x20       l->room = room;\n\
         \x20   }\n\
         \x20   l->items[l->n++] = item;\n\
         \x20   return 0;\n}\n\
         char **pair(const char *a, const char *b) {\n\
         \x20   char **p = calloc(2, sizeof *p);\n\
         \x20   if (!p) return NULL;\n\
         \x20   p[0] = strdup(a);\n\
         \x20   p[1] = strdup(b);\n\
         \x20   if (!p[0] || !p[1]) { free(p[0]); free(p[1]); free(p); return NULL; }\n\
         \x20   return p;\n}\n",
        &["--criterion", "branch", "--criterion", "mcdc"],
    );
}

/// Tests set a volatile object once, so nothing is shown about code that needs it to change.
#[test]
fn what_needs_a_volatile_object_to_change_is_not_infeasible() {
    let program = "volatile int flag;\nint twice(void) { if (flag == 0) { if (flag == 1) return 2; return 1; } return 0; }\n";
    let (_folder, suite, output) = generate_for(program, &[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(goals_with(&suite, "infeasible").is_empty(), "{said}");
    assert!(goals_with(&suite, "infeasible-within").is_empty(), "{said}");
    assert_eq!(goals_with(&suite, "unknown").len(), 1, "{said}");
    assert!(said.contains("a volatile object that changes between two accesses"), "{said}");
}
