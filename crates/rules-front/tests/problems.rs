//! What is wrong with a specification is reported with its place, all of it, and nothing breaks.

use glassbox_rules_front::read;
use glassbox_testkit::Random;

/// Places and messages.
fn problems(text: &str) -> Vec<String> {
    let Err(problems) = read(text) else { return Vec::new() };
    problems
        .iter()
        .map(|it| format!("{}:{}: {}", it.spot.line, it.spot.column, it.message))
        .collect()
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected, "{text}");
}

#[test]
fn what_does_not_fit_is_named() {
    refused("", &["1:1: no function is defined here"]);
    refused("// nothing\n", &["1:1: no function is defined here"]);
    refused("function f(x: int): int { }", &["1:10: `f` has no rules"]);
    refused(
        "function f(x: int): int {\n  x > 0 => true;\n  y => 1;\n  x => 1;\n}",
        &[
            "2:12: this is a `bool`, and a `int` is wanted",
            "3:3: no variable `y` is known here",
            "4:3: this is a `int`, and a `bool` is wanted",
        ],
    );
    refused("function f(x: count): int { 1; }", &["1:15: no type `count` is known here"]);
    refused(
        "function f(x: int): int { g(x); }",
        &["1:27: no function or constructor `g` is known here"],
    );
    refused("function f(x: byte): byte { 128; }", &["1:29: 128 does not fit into `byte`"]);
    refused("function f(x: byte): int { x; }", &["1:28: this is a `byte`, and a `int` is wanted"]);
    refused("function f(x: int): int { x -> x => 1; }", &["1:32: `x` has a value already"]);
    refused("function f(x: int): int { f => 1; }", &["1:27: `f` is a function: call it as `f(…)`"]);
    refused("function f(x: int): int { raise E; }", &["1:33: no exception `E` is known here"]);
    refused(
        "data t = A | B(int)\nfunction f(x: t): int { x -> B => 1; x -> A(y) => 1; x -> 1 => 1; }",
        &[
            "2:30: `B` takes 1 argument, and 0 are here",
            "2:43: `A` takes 0 arguments, and 1 are here",
            "2:59: this pattern is for a number, and the value is a `t`",
        ],
    );
}

#[test]
fn what_is_there_twice_is_named_with_both_places() {
    refused(
        "record r { a: int, a: int }\nrecord r { b: int }\nfunction f(x: r): int { x.a; }",
        &["2:8: type `r` is defined twice: first on line 1", "1:20: field `a` is there already"],
    );
    refused(
        "data t = A | A\nfunction f(x: t, x: t): int { <r> 1; <r> 2; }\nfunction f(): int { 1; }",
        &[
            "1:14: constructor `A` is defined twice: first on line 1",
            "2:18: parameter `x` is there already",
            "3:10: function `f` is defined twice: first on line 2",
        ],
    );
    refused(
        "function f(): int { <r> 1; <r> 2; }",
        &["1:29: rule `r` is defined twice: first on line 1"],
    );
}

#[test]
fn what_never_ends_is_refused() {
    let endless = |line: u32, name: &str| {
        format!("{line}:10: `{name}` never has a result: every rule needs another call of it first")
    };
    assert_eq!(problems("function f(x: int): int { f(x); }"), [endless(1, "f")]);
    assert_eq!(
        problems(
            "function f(x: int): int { x > 0 => g(x); x <= 0 => g(0); }\nfunction g(x: int): int { f(x) -> y => y; }"
        ),
        [endless(1, "f"), endless(2, "g")]
    );
    refused(
        "data t = A(t)\nfunction f(x: t): int { 1; }",
        &["1:6: `t` has no values: all would be endless"],
    );
    assert_eq!(problems("function f(x: int): int { x > 0 => f(x - 1); x <= 0 => 0; }"), [""; 0]);
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("function f(x: int): int {{ {}x{}; }}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(problems(&deep).len(), 1);
    let long = format!("function f(x: int): int {{ x{}; }}", " + x".repeat(5000));
    assert_eq!(problems(&long).len(), 1);
    let minus = format!("function f(x: int): int {{ {}x; }}", "!".repeat(5000));
    assert_eq!(problems(&minus).len(), 1);
}

#[test]
fn no_text_breaks_it() {
    let text = include_str!("../../../corpus/rules/jcvm.rules");
    let mut random = Random::new(3);
    for _ in 0..300 {
        let mut bytes = text.as_bytes()[..random.below(text.len())].to_vec();
        for _ in 0..3 {
            let at = random.below(bytes.len() + 1);
            let part: &[u8] =
                random.pick(&[&b"("[..], b"}", b"->", b"=>", b"\xc3\xa4", b"0x", b"data "]);
            bytes.splice(at..at, part.iter().copied());
        }
        for problem in read(&String::from_utf8_lossy(&bytes)).err().unwrap_or_default() {
            let shown = problem.render("a.rules", &String::from_utf8_lossy(&bytes));
            assert!(shown.starts_with("a.rules:"), "{shown}");
        }
    }
}
