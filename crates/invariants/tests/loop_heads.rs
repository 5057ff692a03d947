//! What holds at loop heads: as people read it, and held against every state that runs have there.
//!
//! A case marks each loop head with the variables to look at, `while (@i, s@ i < n)`. For the analysis the marks are
//! left out; for the interpreter they write the values into a log, so that nothing but the source connects the two.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_interp::{Machine, NoExternals, Stubs, run_test};
use glassbox_invariants::{Invariants, Options, analyze, context_at};
use glassbox_ir::{FuncId, Program, Ty};
use glassbox_kernel::Domain;
use glassbox_relax::optimum::TermSum;
use glassbox_solver::StopFlag;
use glassbox_terms::{Sort, TermId, Value};
use glassbox_testcase::{InputValue, NamedInput, TestInput};
use glassbox_values::{Bits, Float, Signedness};
use glassbox_whole::facts::text::{name_of, range_text, sum_text};
use glassbox_whole::summary::{Plan, Role, Table};
use glassbox_whole::{AfterErrors, Facts, Graph, Order, build};

/// Entries of the log.
const LOG_SIZE: usize = 4000;

/// Constants beyond this come from the ends of types and mean nothing to a reader.
const MAX_CONSTANT: i128 = 1 << 30;

/// What variables were when a run was at a line.
type Values = BTreeMap<String, i64>;

/// A run at a loop head.
#[derive(Debug, Clone)]
struct Visit {
    line: u32,
    /// By line: the last visit so far. A variable of an outer loop keeps what it was there.
    last: BTreeMap<u32, Values>,
}

fn read(source: &str) -> (Program, FuncId) {
    let program = compile_text(source).program.expect("the case should compile");
    let function = program.function_named("f").expect("the case should define f");
    (program, function)
}

/// The source without marks, the source whose marks write into the log, and what is looked at by line.
fn unmarked(case: &str) -> (String, String, BTreeMap<u32, Vec<String>>) {
    let mut marks = BTreeMap::new();
    let (mut plain, mut logging) = (String::new(), String::new());
    logging.push_str(&format!(
        "long long log[{LOG_SIZE}]; int n_log; \
         static void put(long long v) {{ if (n_log < {LOG_SIZE}) log[n_log++] = v; }} \
         static long long bits(double d) {{ union {{ double d; long long v; }} u; u.d = d; return u.v; }} "
    ));
    for (number, line) in (1..).zip(case.lines()) {
        for (position, piece) in line.split('@').enumerate() {
            if position % 2 == 0 {
                plain.push_str(piece);
                logging.push_str(piece);
                continue;
            }
            let names: Vec<&str> = piece.split(", ").collect();
            logging.push_str(&format!("put({number}), "));
            for name in &names {
                logging.push_str(&format!("put({name}), "));
            }
            let inner = |name: &&str| {
                let of_bits = name.strip_prefix("bits(").and_then(|rest| rest.strip_suffix(')'));
                of_bits.unwrap_or(name).to_owned()
            };
            marks.insert(number, names.iter().map(inner).collect());
        }
        plain.push('\n');
        logging.push('\n');
    }
    (plain, logging, marks)
}

fn graph_options() -> glassbox_whole::Options {
    glassbox_whole::Options {
        model: glassbox_model::Config::default(),
        after_errors: AfterErrors::End,
        types_apart: true,
        call_summaries: false,
        max_call_depth: 6,
        max_recursion: 0,
        max_blocks: 4000,
    }
}

fn options() -> Options {
    Options {
        is_on: true,
        linear: true,
        probing: true,
        widen_after: 3,
        linear_work: 40_000_000,
        stop: StopFlag::default(),
    }
}

struct Analyzed {
    graph: Graph,
    order: Order,
    invariants: Invariants,
}

impl Analyzed {
    fn new(source: &str, options: &Options) -> Analyzed {
        let (program, function) = read(source);
        let table = Table::default();
        let plan = Plan { table: &table, role: Role::UnderTest, is_partial: false };
        let graph = build(&program, function, &graph_options(), plan);
        let graph = graph.expect("the case should have a graph");
        let order = Order::new(&graph);
        let invariants = analyze(&graph, &order, options);
        Analyzed { graph, order, invariants }
    }

    /// By line.
    fn heads(&self) -> BTreeMap<u32, usize> {
        let heads = self.order.sequence.iter().filter(|&&n| self.order.is_head(&self.graph, n));
        heads.map(|&n| (self.graph.nodes[n].span.expect("loops have a place").line, n)).collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (line, head) in self.heads() {
            let mut facts: Vec<String> = Vec::new();
            if let Some(state) = &self.invariants.states[head] {
                facts.extend(self.fact_texts(state));
            }
            if facts.is_empty() {
                facts.push("nothing".to_owned());
            }
            for fact in facts {
                text.push_str(&format!("{line}: {fact}\n"));
            }
        }
        text
    }

    fn fact_texts(&self, state: &Facts) -> Vec<String> {
        let terms = &self.graph.terms;
        let ranges = state.domains.iter();
        let ranges = ranges.filter_map(|(term, domain)| range_text(name_of(terms, *term), domain));
        // Of several variables with one name, that of the innermost loop is what the source means.
        let is_present = |term: TermId| {
            let name = name_of(terms, term);
            let mut own = state.domains.iter().map(|(own, _)| *own);
            own.clone().any(|own| own == term) || own.all(|own| name_of(terms, own) != name)
        };
        let sums = state.sums().filter(|sum| {
            sum.constant.abs() < MAX_CONSTANT
                && sum.terms.len() > 1
                && sum.terms.iter().all(|(term, _, _)| is_present(*term))
                && !state.implies(sum)
        });
        let sums = sums.map(|sum| sum_text(terms, &sum, "<="));
        let elements = state.elements.iter().filter_map(|(term, bits)| {
            range_text(&format!("{}[]", name_of(terms, *term)), &Domain::Bits(*bits))
        });
        ranges.chain(sums).chain(elements).collect()
    }

    /// What is claimed and does not hold at this visit of a head.
    fn contradiction(&self, head: usize, visit: &Visit) -> Option<String> {
        if !self.invariants.is_reached[head] {
            return Some("it counts as unreachable".to_owned());
        }
        let state = self.invariants.states[head].as_ref()?;
        for (term, domain) in &state.domains {
            if matches!(domain, Domain::Opaque) {
                continue;
            }
            if !domain.contains(&self.value(*term, visit)) {
                return Some(format!("{} in {domain:?}", name_of(&self.graph.terms, *term)));
            }
        }
        for sum in state.sums() {
            if self.total(&sum, visit) > 0 {
                return Some(sum_text(&self.graph.terms, &sum, "<="));
            }
        }
        for (term, bits) in &state.elements {
            let array = format!("{}[", name_of(&self.graph.terms, *term));
            let values = visit.last[&visit.line].iter();
            for (name, &value) in values.filter(|(name, _)| name.starts_with(&array)) {
                let element = Value::Bv(Bits::from_signed(value.into(), bits.width()));
                if !Domain::Bits(*bits).contains(&element) {
                    return Some(format!("{name} in {bits:?}"));
                }
            }
        }
        None
    }

    /// The same of what is known there together with conditions and events on the way.
    fn contradiction_in_context(&self, head: usize, visits: &[&Visit]) -> Option<String> {
        let mut context =
            context_at(&self.graph, &self.order, &self.invariants, head, 0, &options());
        if !context.settle() {
            return (!visits.is_empty()).then(|| "no state is possible".to_owned());
        }
        let params = &self.graph.nodes[head].params;
        let is_hidden = |input: &TermId| {
            let name = name_of(&self.graph.terms, *input);
            params.iter().any(|param| name_of(&self.graph.terms, *param) == name)
        };
        let inputs = self.graph.inputs.iter().filter(|input| !is_hidden(input));
        for &term in params.iter().chain(inputs) {
            let Some(domain) = context.domain(term).filter(|d| !matches!(d, Domain::Opaque)) else {
                continue;
            };
            for visit in visits {
                if !domain.contains(&self.value(term, visit)) {
                    return Some(format!("{} in {domain:?}", name_of(&self.graph.terms, term)));
                }
            }
        }
        None
    }

    fn value(&self, term: TermId, visit: &Visit) -> Value {
        let name = name_of(&self.graph.terms, term);
        let owner = self.graph.owners[&term];
        let set_at = self.heads().into_iter().find(|(_, head)| *head == owner);
        let line = set_at.map_or(visit.line, |(line, _)| line);
        let raw = visit.last[&line].get(name);
        let raw = *raw.unwrap_or_else(|| panic!("the case should look at {name}"));
        match self.graph.terms.sort(term) {
            Sort::Bool => Value::Bool(raw != 0),
            Sort::Bv(width) => Value::Bv(Bits::from_signed(raw.into(), width)),
            Sort::Float(format) => Value::Float(Float::from_bits(raw.cast_unsigned(), format)),
            Sort::Array { .. } => panic!("{name} is an array"),
        }
    }

    fn total(&self, sum: &TermSum, visit: &Visit) -> i128 {
        let mut total = sum.constant;
        for &(term, signedness, coefficient) in &sum.terms {
            let Value::Bv(bits) = self.value(term, visit) else { panic!("sums are of integers") };
            total += coefficient
                * match signedness {
                    Signedness::Signed => bits.signed(),
                    Signedness::Unsigned => bits.unsigned().cast_signed(),
                };
        }
        total
    }
}

/// Small numbers and the ends of types; every value of a byte.
fn numbers(ty: Ty) -> Vec<InputValue> {
    let int = |width: u8| move |value: i128| InputValue::Int(Bits::from_signed(value, width));
    match ty {
        Ty::Int(8) => (0..256).map(int(8)).collect(),
        Ty::Int(width) => {
            let ends = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX].map(i128::from);
            (-4..14).chain(ends).map(int(width)).collect()
        }
        Ty::Float(_) => [0.0, -0.0, 0.5, -3.0, 9.75, 1e30, f64::NAN, f64::INFINITY, f64::MIN]
            .map(|value| InputValue::Float(Float::from_f64(value)))
            .to_vec(),
        Ty::Ptr => panic!("cases have numbers as inputs"),
    }
}

/// All combinations.
fn inputs(program: &Program, function: FuncId) -> Vec<TestInput> {
    let mut all = vec![TestInput::default()];
    for param in &program.function(function).params {
        let with = |input: &TestInput, value: InputValue| {
            let mut input = input.clone();
            let (name, source_type) = (param.name.clone(), param.source_type);
            input.params.push(NamedInput { name, source_type, value });
            input
        };
        let values = numbers(param.ty);
        all = all.iter().flat_map(|i| values.iter().map(|v| with(i, v.clone()))).collect();
    }
    all
}

/// The states that runs on all inputs have at the marks.
fn visits(source: &str, marks: &BTreeMap<u32, Vec<String>>) -> Vec<Visit> {
    let (program, function) = read(source);
    let options = glassbox_interp::Options {
        max_steps: 30_000,
        max_bytes: 1 << 24,
        ..glassbox_interp::Options::default()
    };
    let mut machine = Machine::new(&program, options, Box::new(NoExternals)).expect("a machine");
    let global = |name: &str| {
        let mut ids = program.global_ids();
        ids.find(|&id| program.global(id).name == name).expect("the log is declared")
    };
    let (log, n_log) = (global("log"), global("n_log"));
    let mut visits = Vec::new();
    for input in inputs(&program, function) {
        run_test(&mut machine, &Stubs::default(), function, &input).expect("the input should fit");
        let load = |address: u64, size: u32| {
            machine.memory().load(address, size).expect("the log should be readable")
        };
        let n_entries = load(machine.global_address(n_log), 4);
        let start = machine.global_address(log);
        let mut last = BTreeMap::new();
        let mut entries = (0..n_entries).map(|at| load(start + 8 * at, 8).cast_signed());
        while let Some(line) = entries.next() {
            let line = u32::try_from(line).expect("a line");
            let names = &marks[&line];
            let values: Values = names.iter().cloned().zip(&mut entries).collect();
            // The log may be full in the middle.
            if values.len() == names.len() {
                last.insert(line, values);
                visits.push(Visit { line, last: last.clone() });
            }
        }
    }
    visits
}

/// The facts at the loop heads of `f`, which no run contradicts.
#[track_caller]
fn check(case: &str, expected: Expect) {
    let (plain, logging, marks) = unmarked(case);
    let analyzed = Analyzed::new(&plain, &options());
    assert!(analyzed.invariants.is_stable, "the analysis should come to rest");
    let heads = analyzed.heads();
    let marked: Vec<u32> = marks.keys().copied().collect();
    assert_eq!(heads.keys().copied().collect::<Vec<u32>>(), marked, "loops should be marked");
    let visits = visits(&logging, &marks);
    for (&line, &head) in &heads {
        let here: Vec<&Visit> = visits.iter().filter(|visit| visit.line == line).collect();
        assert!(!here.is_empty(), "runs should come to line {line}");
        for visit in &here {
            let wrong = analyzed.contradiction(head, visit);
            assert_eq!(wrong, None, "at {visit:?}");
        }
        let wrong = analyzed.contradiction_in_context(head, &here);
        assert_eq!(wrong, None, "line {line}, in context");
    }
    expected.assert_eq(&analyzed.text());
}

#[test]
fn a_counter_has_bounds() {
    check(
        "int f(void)
{
    int i = 0;
    while (@i@ i < 10)
        i++;
    return i;
}
",
        expect![[r#"
            4: 0 <= i <= 10
        "#]],
    );
}

#[test]
fn a_counter_stays_below_the_input() {
    check(
        "int f(int n)
{
    int i = 0;
    if (n < 0)
        return 0;
    while (@i, n@ i < n)
        i++;
    return i;
}
",
        expect![[r#"
            6: 0 <= i <= 2147483647
            6: i <= n
        "#]],
    );
}

#[test]
fn a_counter_downward() {
    check(
        "int f(int n)
{
    int i = n;
    if (n < 0)
        return 0;
    while (@i, n@ i > 0)
        i -= 2;
    return i;
}
",
        expect![[r#"
            6: -1 <= i <= 2147483647
        "#]],
    );
}

#[test]
fn a_stride_is_a_congruence() {
    check(
        "int f(void)
{
    int i = 1;
    while (@i@ i < 30)
        i += 4;
    return i;
}
",
        expect![[r#"
            4: 1 <= i <= 33, i mod 4 = 1
        "#]],
    );
}

#[test]
fn a_stride_that_is_no_power_of_two() {
    check(
        "int f(void)
{
    int i = 2;
    while (@i@ i != 32)
        i += 3;
    return i;
}
",
        expect![[r#"
            4: 2 <= i <= 32, i mod 3 = 2
        "#]],
    );
}

#[test]
fn two_variables_are_in_a_linear_relation() {
    check(
        "int f(int n)
{
    int i = 0, s = 3, j = 20;
    while (@i, s, j, n@ i < n && i < 20) {
        i++;
        s += 2;
        j--;
    }
    return s + j;
}
",
        expect![[r#"
            4: 0 <= i <= 20
            4: 3 <= s <= 43, s mod 2 = 1
            4: 0 <= j <= 20
            4: 2*i + 3 <= s
            4: s <= 2*i + 3
            4: 20 <= i + j
            4: i + j <= 20
            4: s <= i + 23
            4: i + 3 <= s
            4: 23 <= s + j
            4: s + j <= 43
        "#]],
    );
}

#[test]
fn steps_up_or_down_stay_within_the_turns() {
    check(
        "int f(int n, int k)
{
    int i = 0, s = 0;
    while (@i, s, n, k@ i < n && i < 50) {
        if (i > k)
            s++;
        else
            s--;
        i++;
    }
    return s;
}
",
        expect![[r#"
            4: 0 <= i <= 50
            4: -50 <= s <= 50
            4: s <= i
            4: 0 <= i + s
        "#]],
    );
}

#[test]
fn unsigned_numbers_wrap_around() {
    check(
        "int f(unsigned char n)
{
    unsigned char i = n;
    int turns = 0;
    while (@i, turns, n@ i != 5) {
        i++;
        turns++;
    }
    return turns;
}
",
        expect![[r#"
            5: 0 <= turns <= 2147483647
            5: i <= n + turns
        "#]],
    );
}

#[test]
fn unsigned_subtraction_wraps_around() {
    check(
        "int f(unsigned n)
{
    unsigned i = n, s = 0;
    while (@i, s, n@ i != 1u && s < 40u) {
        i -= 3u;
        s += i;
    }
    return s == 0u;
}
",
        expect![[r#"
            4: nothing
        "#]],
    );
}

#[test]
fn a_sum_that_wraps_when_unsigned_is_in_a_relation_when_signed() {
    check(
        "int f(unsigned n)
{
    unsigned i = 0, s = 4294967280u;
    while (@i, s, n@ i < n && i < 40u) {
        i += 1u;
        s += 1u;
    }
    return s == 0u;
}
",
        expect![[r#"
            4: 0 <= i <= 40
            4: -16 <= s <= 24
            4: (unsigned)i <= s + 16
            4: s + 16 <= (unsigned)i
            4: (unsigned)i <= (unsigned)n
        "#]],
    );
}

#[test]
fn an_unsigned_product_wraps_and_stays_even() {
    check(
        "int f(unsigned n)
{
    unsigned i = 0, p = 2;
    while (@i, p, n@ i < 60u && p != n) {
        p *= 6u;
        i++;
    }
    return p == 0u;
}
",
        expect![[r#"
            4: 0 <= i <= 60
            4: -2147483648 <= p <= 2147483644, p mod 2 = 0
        "#]],
    );
}

#[test]
fn loops_in_loops() {
    check(
        "int f(int n)
{
    int i = 0, j = 0, s = 0;
    while (@i, j, s, n@ i < n && i < 8) {
        j = 0;
        while (@i, j, s, n@ j < i) {
            s++;
            j++;
        }
        i++;
    }
    return s;
}
",
        expect![[r#"
            4: 0 <= i <= 8
            4: 0 <= s <= 2147483647
            4: i <= s + 1
            6: 0 <= j <= 7
            6: 0 <= s <= 2147483647
            6: j <= s
            6: i <= j + 7
            6: j <= i
            6: i <= s + 1
            6: 0 <= i + s
        "#]],
    );
}

#[test]
fn a_break_leaves_before_the_bound() {
    check(
        "int f(int n)
{
    int i = 0, s = 0;
    while (@i, s, n@ 1) {
        if (i >= 12)
            break;
        if (s == n)
            break;
        i += 2;
        s++;
    }
    return i;
}
",
        expect![[r#"
            4: 0 <= i <= 12, i mod 2 = 0
            4: 0 <= s <= 6
            4: i <= 2*s
            4: 2*s <= i
            4: s <= i
            4: i <= s + 6
        "#]],
    );
}

#[test]
fn a_continue_comes_back_without_the_step() {
    check(
        "int f(int n)
{
    int i = 0, s = 0;
    while (@i, s, n@ i < 9) {
        i++;
        if (i == n)
            continue;
        s++;
    }
    return s;
}
",
        expect![[r#"
            4: 0 <= i <= 9
            4: 0 <= s <= 9
            4: s <= i
        "#]],
    );
}

#[test]
fn a_float_has_an_interval() {
    check(
        "int f(void)
{
    double x = 1.0;
    int i = 0;
    while (@i, bits(x)@ i < 20) {
        x = x * 0.5 + 0.25;
        i++;
    }
    return x > 0.4;
}
",
        expect![[r#"
            5: -inf <= x <= 1.0
            5: 0 <= i <= 20
        "#]],
    );
}

#[test]
fn a_float_that_counts_is_within_its_bound() {
    check(
        "int f(void)
{
    double x = 0.0;
    while (@bits(x)@ x < 10.0)
        x = x + 1.5;
    return x > 11.0;
}
",
        expect![[r#"
            4: 0.0 <= x <= 11.499999999999998
        "#]],
    );
}

#[test]
fn a_float_of_the_input_may_be_nan() {
    check(
        "int f(double n)
{
    double x = n;
    int i = 0;
    while (@i, bits(x), bits(n)@ !(x > 100.0) && i < 30) {
        x = x + 1.5;
        i++;
    }
    return i;
}
",
        expect![[r#"
            5: 0 <= i <= 30
        "#]],
    );
}

#[test]
fn elements_of_an_array_are_what_was_put_there() {
    check(
        "int f(void)
{
    int a[4] = {0}, i = 0;
    while (@i, a[0], a[1], a[2], a[3]@ i < 4) {
        a[i] = i;
        i++;
    }
    return a[0];
}
",
        expect![[r#"
            4: 0 <= i <= 4
            4: 0 <= a[] <= 3
        "#]],
    );
}

#[test]
fn without_linear_relations_ranges_are_left() {
    let source = "int f(int n)
{
    int i = 0, s = 3;
    while (i < n && i < 20) {
        i++;
        s += 2;
    }
    return s;
}
";
    let linear = Analyzed::new(source, &options()).text();
    let ranges = Analyzed::new(source, &Options { linear: false, ..options() }).text();
    assert_ne!(linear, ranges);
    expect![[r#"
        4: 0 <= i <= 20
        4: 3 <= s <= 2147483647, s mod 2 = 1
    "#]]
    .assert_eq(&ranges);
    let off = Analyzed::new(source, &Options { is_on: false, ..options() });
    assert!(!off.invariants.is_stable, "what is switched off says nothing");
    assert_eq!(off.text(), "4: nothing\n");
}

#[test]
fn code_behind_an_endless_loop_is_not_reached() {
    let analyzed = Analyzed::new(
        "int f(int n)
{
    int i = 0;
    while (i < 10)
        i = (i + 1) & 7;
    return n > 3 ? 1 : 2;
}
",
        &options(),
    );
    assert!(analyzed.invariants.is_stable);
    let behind = (0..analyzed.graph.nodes.len()).filter(|&node| {
        let line = analyzed.graph.nodes[node].span.map(|span| span.line);
        line == Some(6) && analyzed.order.is_reachable(node)
    });
    let behind: Vec<usize> = behind.collect();
    assert!(!behind.is_empty(), "control flow alone goes there");
    assert!(behind.iter().all(|&node| !analyzed.invariants.is_reached[node]), "{behind:?}");
}
