//! Graphs of small functions as text: which nodes, parameters, events and edges there are, and over which terms.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_ir::{Check, CheckKind, FuncId, Instr, InstrKind, Program, PureOp};
use glassbox_terms::{TermId, display};
use glassbox_whole::summary::{Plan, Role, Table};
use glassbox_whole::{
    AfterErrors, Checked, Doubt, Doubts, Event, Graph, Options, Order, Place, build,
};

fn read(source: &str) -> (Program, FuncId) {
    let program = compile_text(source).program.expect("the case should compile");
    let function = program.function_named("f").expect("the case should define f");
    (program, function)
}

/// Calls are expanded; without summaries others may do anything.
fn options() -> Options {
    Options {
        model: glassbox_model::Config::default(),
        after_errors: AfterErrors::End,
        types_apart: true,
        call_summaries: false,
        max_call_depth: 6,
        max_recursion: 0,
        max_blocks: 4000,
    }
}

fn graph_of(program: &Program, function: FuncId, options: &Options) -> Graph {
    let table = Table::default();
    let plan = Plan { table: &table, role: Role::UnderTest, is_partial: false };
    build(program, function, options, plan).expect("the case should have a graph")
}

/// The graph of `f`.
#[track_caller]
fn check(source: &str, expected: Expect) {
    check_with(source, &options(), expected);
}

#[track_caller]
fn check_with(source: &str, options: &Options, expected: Expect) {
    let (program, function) = read(source);
    let graph = graph_of(&program, function, options);
    expected.assert_eq(&text(&program, &graph));
}

/// Nodes in order of control, each with its ways on; at the end what the graph as a whole admits.
fn text(program: &Program, graph: &Graph) -> String {
    let mut text = String::new();
    let order = Order::new(graph);
    for &node in &order.sequence {
        let declared = &graph.nodes[node];
        let kind = match (order.is_head(graph, node), graph.is_join(node)) {
            (true, _) => "loop",
            (false, true) => "join",
            (false, false) => "node",
        };
        let function = declared.function.map_or("?", |id| program.function(id).name.as_str());
        let line = declared.span.map_or(0, |span| span.line);
        let params = listed(graph, &declared.params);
        let _ = writeln!(text, "{kind} {node} {function}:{line} [{params}]");
        for event in &declared.events {
            let _ = match event {
                Event::Assume(fact) => writeln!(text, "  assume {}", display(&graph.terms, *fact)),
                Event::Check(checked) => {
                    writeln!(text, "  {}", check_text(program, graph, checked))
                }
            };
        }
        for edge in &declared.edges {
            let condition = display(&graph.terms, edge.condition);
            let _ =
                writeln!(text, "  {condition} -> {} [{}]", edge.target, listed(graph, &edge.args));
        }
    }
    for &hidden in &graph.hidden {
        let _ = writeln!(text, "hidden: {}", program.function(hidden).name);
    }
    for &missing in &graph.missing {
        let _ = writeln!(text, "without a summary: {}", program.function(missing).name);
    }
    for (node, what, _) in &graph.unsupported {
        let _ = writeln!(text, "not modeled in {node}: {what}");
    }
    text.push_str(if graph.is_exact { "exact\n" } else { "not exact\n" });
    text
}

fn listed(graph: &Graph, terms: &[TermId]) -> String {
    let terms: Vec<String> = terms.iter().map(|term| display(&graph.terms, *term)).collect();
    terms.join(", ")
}

fn check_text(program: &Program, graph: &Graph, checked: &Checked) -> String {
    let instr = instr_at(program, checked.place);
    let InstrKind::Check(check) = &instr.kind else { panic!("a check is made by {instr:?}") };
    let what = if checked.is_of_content { "what is found there" } else { what_of(check) };
    let said = |term: Option<TermId>| {
        term.map_or_else(|| "unknown".to_owned(), |term| display(&graph.terms, term))
    };
    let (holds, passed) = (said(checked.holds), said(checked.passed));
    let line = instr.span.line;
    if holds == passed {
        format!("{line}: {what}: {holds}")
    } else {
        format!("{line}: {what}: {holds}, then {passed}")
    }
}

fn instr_at(program: &Program, place: Place) -> &Instr {
    &program.body(place.function).block(place.block).instrs[place.instr as usize]
}

fn what_of(check: &Check) -> &'static str {
    match check {
        Check::Condition { kind, .. } => kind.name(),
        Check::Readable { .. } => "readable",
        Check::Accessible { .. } => "accessible",
        Check::Writable { .. } => "writable",
        Check::Freeable { .. } => "freeable",
        Check::Callable { .. } => "callable",
        Check::InBoundsOffset { .. } => "in bounds",
        Check::SameObject { .. } => "same object",
    }
}

#[test]
fn a_diamond_joins_what_its_sides_set() {
    check(
        "int f(int a)
{
    int b = 1;
    if (a > 3)
        b = a;
    if (b == 2)
        return 1;
    return 0;
}
",
        expect![[r#"
            node 0 f:0 []
              3 < a -> 1 []
              a < 4 -> 2 [1]
            node 1 f:5 []
              true -> 2 [a]
            join 2 f:6 [b]
              b == 2 -> 4 []
              b != 2 -> 3 []
            node 3 f:8 []
            node 4 f:7 []
            exact
        "#]],
    );
}

#[test]
fn a_loop_has_what_it_changes_as_parameters() {
    check(
        "int f(unsigned n, unsigned k)
{
    unsigned s = 0, i;
    for (i = 0; i < n; i++)
        s = s + k;
    return s == 7u ? 1 : 0;
}
",
        expect![[r#"
            node 0 f:0 []
              true -> 1 [0, 0]
            loop 1 f:4 [s, i]
              i <u n -> 4 []
              n <=u i -> 2 []
            node 2 f:6 []
              s == 7 -> 3 [1]
              s != 7 -> 3 [0]
            join 3 f:6 [%8]
            node 4 f:5 []
              true -> 1 [k + s, i + 1]
            exact
        "#]],
    );
}

const CALL: &str = "int g;
static int twice(int a)
{
    g = a;
    return a > 100 ? 0 : a + a;
}
int f(int a)
{
    g = 5;
    if (twice(a) == 8)
        return 1;
    if (g == 5)
        return 2;
    return 0;
}
";

#[test]
fn a_call_is_expanded() {
    check(
        CALL,
        expect![[r#"
        node 0 f:0 []
          100 < a -> 2 [0]
          a < 101 -> 1 []
        node 1 twice:5 []
          5: signed-overflow: !add_overflows(a, a)
          true -> 2 [a * 2]
        join 2 twice:5 [%5]
          %5 == 8 -> 6 []
          %5 != 8 -> 3 []
        node 3 f:12 []
          12: readable: true
          a == 5 -> 5 []
          a != 5 -> 4 []
        node 4 f:14 []
        node 5 f:13 []
        node 6 f:11 []
        exact
    "#]],
    );
}

#[test]
fn a_call_that_is_neither_expanded_nor_summarized_may_do_anything() {
    let options = Options { max_call_depth: 0, ..options() };
    check_with(
        CALL,
        &options,
        expect![[r#"
        node 0 f:0 []
          ?1 == 8 -> 4 []
          ?1 != 8 -> 1 []
        node 1 f:12 []
          12: readable: true
          ?2 == 5 -> 3 []
          ?2 != 5 -> 2 []
        node 2 f:14 []
        node 3 f:13 []
        node 4 f:11 []
        hidden: twice
        not exact
    "#]],
    );
    let (program, function) = read(CALL);
    let graph = graph_of(&program, function, &options);
    let twice = program.function_named("twice").expect("it is defined above");
    assert!(graph.opaque.contains(&twice), "no summary speaks for what runs there");
    assert!(graph.calls.is_empty());
}

#[test]
fn a_call_of_an_undefined_function_forgets_globals_and_not_locals() {
    check(
        "int g;
extern void other(void);
int f(void)
{
    int kept = 3;
    g = 5;
    other();
    if (kept != 3)
        return 1;
    if (g == 5)
        return 2;
    return 0;
}
",
        expect![[r#"
            node 0 f:0 []
              true -> 1 []
            node 1 f:10 []
              10: readable: true
              ?1 == 5 -> 3 []
              ?1 != 5 -> 2 []
            node 2 f:12 []
            node 3 f:11 []
            not exact
        "#]],
    );
}

#[test]
fn a_pointer_with_two_targets_may_change_both() {
    check(
        "int f(int c)
{
    int a = 1, b = 2;
    int *p = c ? &a : &b;
    *p = 7;
    if (a == 1)
        return 1;
    if (b == 7)
        return 2;
    return *p == 7 ? 3 : 4;
}
",
        expect![[r#"
            node 0 f:0 []
              c != 0 -> 2 []
              c == 0 -> 1 []
            node 1 f:4 []
              true -> 3 [3]
            node 2 f:4 []
              true -> 3 [2]
            join 3 f:4 [target of p]
              assume target of p == 2 || target of p == 3
              5: writable: true
              6: readable: true
              target of p != 2 -> 8 []
              target of p == 2 -> 4 []
            node 4 f:8 []
              8: readable: true
              target of p == 3 -> 7 []
              target of p != 3 -> 5 []
            node 5 f:10 []
              10: readable: true
              target of p == 2 || target of p == 3 -> 6 [3]
              !(target of p == 2 || target of p == 3) -> 6 [4]
            join 6 f:10 [%15]
            node 7 f:9 []
            node 8 f:7 []
            exact
        "#]],
    );
}

#[test]
fn a_store_through_an_unknown_pointer_changes_what_has_its_type() {
    check(
        "int g;
float h;
int f(int *p, float *q)
{
    int own = 4;
    g = 5;
    h = 6.0f;
    *p = 1;
    if (own != 4)
        return 1;
    if (g == 5)
        return 2;
    if (h != 6.0f)
        return 3;
    return *p == 1 ? 4 : 5;
}
",
        expect![[r#"
            node 0 f:0 []
              8: writable: unknown, then p != 0
              true -> 1 []
            node 1 f:11 []
              11: readable: true
              ?2 == 5 -> 5 []
              ?2 != 5 -> 2 []
            node 2 f:13 []
              13: readable: true
              true -> 3 []
            node 3 f:15 []
              15: readable: unknown, then p != 0
              true -> 4 [4]
            join 4 f:15 [%9]
            node 5 f:12 []
            not exact
        "#]],
    );
}

#[test]
fn a_local_whose_address_escapes_is_forgotten_by_later_calls() {
    check(
        "extern void take(int *);
extern void other(void);
int f(void)
{
    int shown = 1, own = 2;
    take(&shown);
    shown = 3;
    other();
    if (shown == 3)
        return 1;
    if (own == 2)
        return 2;
    return 0;
}
",
        expect![[r#"
            node 0 f:0 []
              assume ?1 != 0
              9: readable: true
              9: what is found there: unknown
              ?2 == 3 -> 3 []
              ?2 != 3 -> 1 []
            node 1 f:11 []
              true -> 2 []
            node 2 f:12 []
            node 3 f:10 []
            not exact
        "#]],
    );
}

#[test]
fn a_local_that_has_not_escaped_is_kept_by_calls() {
    check(
        "extern void other(void);
int f(void)
{
    int own = 2;
    int *p = &own;
    other();
    *p += 1;
    return own == 3 ? 1 : 2;
}
",
        expect![[r#"
            node 0 f:0 []
              7: readable: true
              7: signed-overflow: true
              7: writable: true
              8: readable: true
              true -> 1 [1]
            join 1 f:8 [%9]
            exact
        "#]],
    );
}

#[test]
fn freed_memory_is_not_accessible() {
    check(
        "typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);
int f(int a)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = a;
    if (*p == 3)
        return 1;
    free(p);
    return *p;
}
",
        expect![[r#"
            node 0 f:0 []
              !?1 -> 2 []
              ?1 -> 1 []
            node 1 f:8 []
            node 2 f:9 []
              9: writable: !?1
              10: readable: !?1
              a == 3 -> 4 []
              a != 3 -> 3 []
            node 3 f:12 []
              12: freeable: true
              13: readable: unknown, then !?1
            node 4 f:11 []
            not exact
        "#]],
    );
}

#[test]
fn an_array_with_an_index_of_the_input() {
    check(
        "int f(unsigned i, unsigned j)
{
    int a[4] = {1, 2, 3, 4};
    a[i] = 9;
    if (a[j] == 9)
        return 1;
    return a[2] == 3 ? 2 : 3;
}
",
        expect![[r#"
            node 0 f:0 []
              4: out-of-bounds: i <u 4
              4: writable: (u64)i * 4 <u 13
              5: out-of-bounds: j <u 4
              5: readable: (u64)j * 4 <u 13
              5: what is found there: unknown
              ?1[0 := 1][4 := 2][8 := 3][12 := 4][(u64)i * 4 := 9][(u64)j * 4] == 9 -> 3 []
              ?1[0 := 1][4 := 2][8 := 3][12 := 4][(u64)i * 4 := 9][(u64)j * 4] != 9 -> 1 []
            node 1 f:7 []
              7: readable: true
              7: what is found there: unknown
              ?1[0 := 1][4 := 2][8 := 3][12 := 4][(u64)i * 4 := 9][8] == 3 -> 2 [2]
              ?1[0 := 1][4 := 2][8 := 3][12 := 4][(u64)i * 4 := 9][8] != 3 -> 2 [3]
            join 2 f:7 [%22]
            node 3 f:6 []
            not exact
        "#]],
    );
}

#[test]
fn an_array_that_a_loop_fills_is_a_parameter() {
    check(
        "int f(void)
{
    int a[4] = {0}, i;
    for (i = 0; i < 4; i++)
        a[i] = i;
    return a[1] == 1 ? 1 : 2;
}
",
        expect![[r#"
            node 0 f:0 []
              true -> 1 [0, all(0)]
            loop 1 f:4 [i, a]
              i < 4 -> 4 []
              3 < i -> 2 []
            node 2 f:6 []
              6: readable: true
              a[4] == 1 -> 3 [1]
              a[4] != 1 -> 3 [2]
            join 3 f:6 [%15]
            node 4 f:5 []
              5: out-of-bounds: i <u 4
              5: writable: (i64)i * 4 <u 13
              4: signed-overflow: i != 2147483647
              true -> 1 [i + 1, a[(i64)i * 4 := i]]
            exact
        "#]],
    );
}

#[test]
fn a_load_after_a_store_that_may_alias_is_not_the_old_value() {
    check(
        "int f(int *p, int *q)
{
    *p = 1;
    *q = 2;
    if (*p == 1)
        return 1;
    return *q == 2 ? 2 : 3;
}
",
        expect![[r#"
            node 0 f:0 []
              3: writable: unknown, then p != 0
              4: writable: unknown, then q != 0
              5: readable: unknown, then p != 0
              int32[p := 1][q := 2][p] == 1 -> 3 []
              int32[p := 1][q := 2][p] != 1 -> 1 []
            node 1 f:7 []
              7: readable: unknown, then q != 0
              true -> 2 [2]
            join 2 f:7 [%6]
            node 3 f:6 []
            not exact
        "#]],
    );
}

const AFTER_ERRORS: &str = "int f(int a, int *p)
{
    int b = a + 1;
    *p = 3;
    if (b == 8)
        return 1;
    return b > a ? 2 : 3;
}
";

#[test]
fn runs_end_at_errors() {
    check(
        AFTER_ERRORS,
        expect![[r#"
        node 0 f:0 []
          3: signed-overflow: a != 2147483647
          4: writable: unknown, then p != 0
          a == 7 -> 3 []
          a != 7 -> 1 []
        node 1 f:7 []
          a < a + 1 -> 2 [2]
          a + 1 <= a -> 2 [3]
        join 2 f:7 [%7]
        node 3 f:6 []
        not exact
    "#]],
    );
}

/// Sums of `f` are what their instructions say, but where they overflow.
fn doubtful_sums(program: &Program, function: FuncId, doubt: Doubt) -> Doubts {
    let mut doubts = BTreeMap::new();
    for block in &program.body(function).blocks {
        let is_check = |instr: &Instr| {
            let kind = CheckKind::SignedOverflow;
            matches!(&instr.kind, InstrKind::Check(Check::Condition { kind: found, .. }) if *found == kind)
        };
        let is_sum = |instr: &&Instr| matches!(instr.kind, InstrKind::Pure(PureOp::Binary { .. }));
        let after = block.instrs.iter().skip_while(|instr| !is_check(instr));
        let sum = after.filter(is_sum).find_map(|instr| instr.result);
        doubts.extend(sum.map(|value| ((function, value), doubt)));
    }
    doubts
}

#[test]
fn runs_go_on_after_errors() {
    let (program, function) = read(AFTER_ERRORS);
    for (doubt, expected) in [
        (
            Doubt::Steady,
            expect![[r#"
            node 0 f:0 []
              3: signed-overflow: a != 2147483647, then unknown
              4: writable: true, then unknown
              ?1 == 8 -> 3 []
              ?1 != 8 -> 1 []
            node 1 f:7 []
              a < ?2 -> 2 [2]
              ?2 <= a -> 2 [3]
            join 2 f:7 [%7]
            node 3 f:6 []
            not exact
        "#]],
        ),
        (
            Doubt::EachUse,
            expect![[r#"
            node 0 f:0 []
              3: signed-overflow: a != 2147483647, then unknown
              4: writable: true, then unknown
              ?2 == 8 -> 3 []
              ?2 != 8 -> 1 []
            node 1 f:7 []
              a < ?3 -> 2 [2]
              ?3 <= a -> 2 [3]
            join 2 f:7 [%7]
            node 3 f:6 []
            not exact
        "#]],
        ),
    ] {
        let doubts = doubtful_sums(&program, function, doubt);
        assert_eq!(doubts.len(), 1, "one sum may overflow");
        let options = Options { after_errors: AfterErrors::GoOn(Arc::new(doubts)), ..options() };
        let graph = graph_of(&program, function, &options);
        expected.assert_eq(&text(&program, &graph));
    }
}

#[test]
fn what_comes_after_a_call_without_return_is_not_in_the_graph() {
    check(
        "extern void abort(void);
int f(int a)
{
    if (a > 3)
        abort();
    return a > 5 ? 1 : 2;
}
",
        expect![[r#"
            node 0 f:0 []
              3 < a -> 3 []
              a < 4 -> 1 []
            node 1 f:6 []
              5 < a -> 2 [1]
              a < 6 -> 2 [2]
            join 2 f:6 [%3]
            node 3 f:5 []
            exact
        "#]],
    );
}
