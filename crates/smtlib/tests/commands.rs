//! Scripts and the commands, terms and errors that they give.

use glassbox_smtlib::{Command, ErrorKind, Front, Kind, answer};
use glassbox_terms::{Model, TermId, Terms, Value, display, eval};
use glassbox_values::Bits;

/// All commands of a script, which has no errors.
#[track_caller]
fn read(text: &str) -> (Terms, Vec<Command>) {
    let mut terms = Terms::new();
    let mut front = Front::new(text);
    let mut commands = Vec::new();
    while let Some(command) = front.next_command(&mut terms) {
        commands.push(command.unwrap_or_else(|error| panic!("{error}")));
    }
    (terms, commands)
}

fn asserted(command: &Command) -> Option<TermId> {
    if let Command::Assert { term, .. } = command { Some(*term) } else { None }
}

/// The assertions of a script as readable text.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (terms, commands) = read(text);
    let shown: Vec<String> =
        commands.iter().filter_map(asserted).map(|term| display(&terms, term)).collect();
    assert_eq!(shown, expected);
}

/// The one error of a script.
#[track_caller]
fn check_error(text: &str, line: usize, column: usize, kind: ErrorKind, message: &str) {
    let mut terms = Terms::new();
    let mut front = Front::new(text);
    let mut errors = Vec::new();
    while let Some(command) = front.next_command(&mut terms) {
        errors.extend(command.err());
    }
    let [error] = errors.as_slice() else { panic!("one error expected: {errors:?}") };
    assert_eq!((error.line, error.column, error.kind), (line, column, kind), "{error}");
    assert!(error.message.contains(message), "{error}");
}

const DECLARATIONS: &str = "
(declare-fun x () (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const p Bool)
(declare-const f Float32)
(declare-const r RoundingMode)
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
";

#[track_caller]
fn check_terms(term: &str, expected: &str) {
    check(&format!("{DECLARATIONS}(assert {term})"), &[expected]);
}

#[test]
fn bit_vector_functions() {
    check_terms("(bvult (bvadd x y #x01) (_ bv200 8))", "x + y + 1 <u 200");
    check_terms("(= ((_ extract 3 0) x) #b1010)", "(u4)x == 10");
    check_terms("(bvsge x y)", "y <= x");
    check_terms("(= (bvcomp x y) #b1)", "x == y");
    check_terms("(= ((_ rotate_left 4) x) y)", "y == concat((u4)x, x[7:4])");
    check_terms("(= (bvnand x y) #x00)", "(x & y) == -1");
    check_terms("(bvsaddo x #x01)", "x == 127");
    check_terms("(= (concat ((_ repeat 2) #b10) #x0) x)", "x == -96");
    check_terms("(distinct x y #x05)", "x != y && x != 5 && y != 5");
}

#[test]
fn core_functions() {
    check_terms("(=> p (= x y) false)", "!p || x != y");
    check_terms("(xor p p true)", "true");
    check_terms("(ite p (= x y) (not (= x y)))", "p == (x == y)");
    check_terms("(let ((p (= x y)) (q p)) (and p (not q)))", "x == y && !p");
    check_terms("(let ((x y) (y x)) (bvult x y))", "y <u x");
    check_terms("(! (bvult x y) :named less :pattern (a b))", "x <u y");
}

#[test]
fn float_functions() {
    check_terms("(fp.lt f ((_ to_fp 8 24) RNE 0.5))", "f < 0.5");
    check_terms("(fp.lt f ((_ to_fp 8 24) RNE (/ (- 1) 4.0)))", "f < -0.25");
    check_terms("(fp.eq (fp.add RTZ f f) (_ +oo 8 24))", "add_rtz(f, f) == inf");
    check_terms("(= f (fp #b1 #x7f #b00000000000000000000000))", "f == -1.0");
    check_terms("(fp.isNaN ((_ to_fp 5 11) RNA ((_ to_fp 8 24) RTZ x)))", "false");
    check_terms("(= r RNE)", "r == 0");
    check_terms("(fp.leq f (_ -zero 8 24) ((_ to_fp 8 24) RNE x))", "f <= -0.0 && -1 < x");
}

#[test]
fn array_functions() {
    check_terms("(= (select (store a #x01 x) #x01) y)", "x == y");
    check_terms("(= (select ((as const (Array (_ BitVec 8) (_ BitVec 8))) x) y) #x07)", "x == 7");
}

#[test]
fn definitions_are_expanded_where_they_were_made() {
    check(
        "(declare-const x (_ BitVec 8))
         (define-sort Byte () (_ BitVec 8))
         (define-sort Map (T) (Array Byte T))
         (declare-const m (Map Bool))
         (define-fun twice ((v Byte)) Byte (bvadd v v))
         (define-fun capture ((v Byte)) Bool (bvult v x))
         (define-const k Byte #x03)
         (assert (let ((x k)) (capture (twice x))))
         (assert (select m k))",
        &["6 <u x", "m[3]"],
    );
}

#[test]
fn names_live_as_long_as_their_level() {
    let (_, commands) = read(
        "(push 2)(declare-const x Bool)(assert (! x :named n))(assert n)(pop 1)(declare-const n Bool)
         (pop 1)(declare-const x Int)(reset)(declare-const x Bool)",
    );
    assert!(commands.contains(&Command::Push(2)));
    assert!(
        commands.iter().any(
            |command| matches!(command, Command::Assert { name: Some(name), .. } if name == "n")
        )
    );
}

#[test]
fn integers_are_exact_beyond_64_bits() {
    let text = "(declare-const x Int)(declare-const y Int)
        (assert (= (+ (* 3 x) (- y)) (div (abs y) 7)))
        (assert (> (* x x) 9223372036854775807000))";
    let (terms, commands) = read(text);
    let vars: Vec<_> = terms.vars().collect();
    let asserted: Vec<_> = commands.iter().filter_map(asserted).collect();
    for (x, y) in
        [(5_i64, 14_i64), (i64::MIN, 3), (i64::MAX, i64::MIN), (-7, -8), (6, 21), (-1, -4)]
    {
        let bits = |value: i64| Value::Bv(Bits::from_signed(i128::from(value), 64));
        let model = Model::from_iter([(vars[0], bits(x)), (vars[1], bits(y))]);
        let (x, y) = (i128::from(x), i128::from(y));
        let expected = [3 * x - y == y.abs().div_euclid(7), x * x > 9_223_372_036_854_775_807_000];
        for (term, expected) in asserted.iter().zip(expected) {
            assert_eq!(eval(&terms, &model, *term), Value::Bool(expected), "{x} {y}");
        }
    }
}

#[test]
fn integers_without_bounds_are_reported() {
    let unbounded = |text: &str| -> Vec<String> {
        let (terms, commands) = read(text);
        commands
            .iter()
            .find_map(|command| {
                let (Command::CheckSat { unbounded } | Command::CheckSatAssuming { unbounded, .. }) =
                    command
                else {
                    return None;
                };
                Some(unbounded.iter().map(|&term| display(&terms, term)).collect())
            })
            .expect("a check")
    };
    let declared = "(declare-const x Int)(declare-const y Int)(declare-const unused Int)";
    let with = |rest: &str| unbounded(&format!("{declared}{rest}"));
    assert_eq!(with("(assert (< 0 x 9))(assert (= y 3))(check-sat)"), [""; 0]);
    assert_eq!(with("(assert (and (< 0 x) (not (> x 9))))(assert (= x y))(check-sat)"), ["y"]);
    assert_eq!(with("(assert (or (< 0 x 9) (= x 77)))(check-sat)"), ["x"]);
    assert_eq!(with("(assert (>= x 0))(check-sat-assuming ((<= x 5)))"), [""; 0]);
    assert_eq!(with("(push)(assert (< 0 x 9))(pop)(assert (> x y))(check-sat)"), ["x", "y"]);
    // The simplified term says x < 5 and x = false, but over the integers neither bound holds.
    assert_eq!(with("(assert (or (> x 100000000000000000000) (< 0 x 5)))(check-sat)"), ["x"]);
    assert_eq!(with("(assert (> x 100000000000000000000))(check-sat)"), ["x"]);
    assert_eq!(with("(assert (< (- 100000000000000000000) x 5))(check-sat)"), ["x"]);
}

#[test]
fn open_values_of_smtlib_stay_open() {
    // Whatever we compute for NaN, some other value is possible as well.
    let (terms, commands) = read(
        "(declare-const f Float32)
         (assert (= ((_ fp.to_ubv 8) RNE (_ NaN 8 24)) #x17))
         (assert (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) (_ +zero 8 24)))
         (assert (= (fp.min (_ -zero 8 24) (_ +zero 8 24)) (_ +zero 8 24)))
         (assert (= (fp.to_ieee_bv (_ NaN 8 24)) #x7fc00000))
         (assert (= (fp.to_ieee_bv (_ NaN 8 24)) #xff800001))",
    );
    for command in &commands {
        if let Command::Assert { term, .. } = command {
            assert_eq!(terms.as_bool_const(*term), None, "{}", display(&terms, *term));
        }
    }
}

#[test]
fn commands_are_plain_data() {
    let (terms, commands) = read(
        "(set-logic QF_BV)(set-option :produce-models true)(set-info :status sat)
         (declare-const |a b| (_ BitVec 4))(declare-const i Int)(declare-const r RoundingMode)
         (check-sat)(get-model)(get-value (|a b| (bvadd |a b| #x1) i))(get-unsat-core)
         (echo \"a \"\"b\"\"\")(get-info :name)(exit)",
    );
    assert_eq!(commands[0], Command::SetLogic("QF_BV".to_owned()));
    assert!(commands.contains(&Command::Echo("a \"b\"".to_owned())));
    let constants: Vec<_> = commands
        .iter()
        .filter_map(|command| {
            let Command::Declare { constant, .. } = command else { return None };
            Some(constant.clone())
        })
        .collect();
    assert_eq!(
        constants.iter().map(|c| c.kind).collect::<Vec<_>>(),
        [Kind::Plain, Kind::Integer, Kind::Rounding]
    );
    let vars: Vec<_> = terms.vars().collect();
    let model = Model::from_iter([
        (vars[0], Value::Bv(Bits::new(15, 4))),
        (vars[1], Value::Bv(Bits::from_signed(-3, 64))),
    ]);
    assert_eq!(
        answer::model(&terms, &constants, &model),
        "(\n  (define-fun |a b| () (_ BitVec 4) #xf)\n  (define-fun i () Int (- 3))\n  \
         (define-fun r () RoundingMode roundNearestTiesToEven)\n)"
    );
    let Some(Command::GetValue(queries)) =
        commands.iter().find(|command| matches!(command, Command::GetValue(_)))
    else {
        panic!("a get-value")
    };
    assert_eq!(
        answer::values(&terms, queries, &model),
        "((|a b| #xf)\n ((bvadd |a b| #x1) #x0)\n (i (- 3)))"
    );
}

#[test]
fn errors_say_what_and_where() {
    use ErrorKind::{Sort, Syntax, Unsupported};
    check_error("(assert\n  (and true", 1, 1, Syntax, "never closed");
    check_error("(assert true))", 1, 14, Syntax, "unexpected `)`");
    check_error("(assert #b012)", 1, 9, Syntax, "#b012");
    check_error("(assert\n (bvult x #x00))", 2, 9, Sort, "unknown symbol `x`");
    check_error("(assert (= #x00 #b1))", 1, 9, Sort, "`=` of a (_ BitVec 8)");
    check_error("(assert (bvadd #x00 #b1))", 1, 9, Sort, "does not apply");
    check_error("(assert #x00)", 1, 9, Sort, "a Bool is expected");
    check_error("(declare-const x (_ BitVec 129))", 1, 18, Unsupported, "128 bits");
    check_error("(declare-const x (_ BitVec 99999999999999999999))", 1, 28, Unsupported, "large");
    check_error("(declare-const x (_ BitVec 0))", 1, 18, Sort, "at least one bit");
    check_error("(declare-fun f (Bool) Bool)", 1, 16, Unsupported, "not defined");
    check_error("(assert (forall ((x Bool)) x))", 1, 9, Unsupported, "forall");
    check_error("(declare-const x Real)", 1, 18, Unsupported, "real");
    check_error(
        "(declare-const a (Array (_ BitVec 8) (Array (_ BitVec 8) Bool)))",
        1,
        18,
        Unsupported,
        "arrays of",
    );
    check_error("(pop)", 1, 1, Sort, "0 levels");
    check_error("(declare-const and Bool)", 1, 16, Sort, "meaning already");
    check_error("(declare-const x Bool)(declare-const x Bool)", 1, 38, Sort, "already");
    check_error("(assert (= ((_ extract 8 0) #x00) #b0))", 1, 12, Sort, "bits 8 to 0");
    check_error("(assert (= ((_ zero_extend 200) #x00) #b0))", 1, 12, Unsupported, "128");
    check_error("(frobnicate)", 1, 1, Unsupported, "frobnicate");
    check_error("(define-fun f ((x Bool)) Bool (and x y))", 1, 38, Sort, "unknown symbol `y`");
    check_error("(assert (let () true))", 1, 14, Syntax, "bindings");
    check_error("(assert (= 1.5 2.5))", 1, 9, Unsupported, "real");
    check_error("(declare-const é Bool)", 1, 16, Syntax, "character");
    check_error(
        "(assert (bvult (concat ((_ repeat 9) #x00) ((_ repeat 9) #x00)) #x00))",
        1,
        16,
        Unsupported,
        "128",
    );
}

#[test]
fn reading_goes_on_after_a_bad_command() {
    let mut terms = Terms::new();
    let mut front = Front::new("(declare-const x Bool)(assert y)(assert x)");
    let mut kinds = Vec::new();
    while let Some(command) = front.next_command(&mut terms) {
        kinds.push(command.is_ok());
    }
    assert_eq!(kinds, [true, false, true]);
}
