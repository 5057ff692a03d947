//! Exact places: columns and texts of what the user wrote, through macros and includes.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::PathBuf;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::{Checked, Front};
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::Preprocessor;
use glassbox_c_front::tree::{ExprId, ExprKind, StmtKind};
use glassbox_ir::{Check, InstrKind};

fn front_of(test: &str, text: &str) -> Front {
    let directory: PathBuf =
        std::env::temp_dir().join(format!("glassbox-places-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a scratch directory");
    let path = directory.join("p.c");
    std::fs::write(&path, text).expect("a file");
    let mut front = Front::new();
    front.add_file(&path, &Preprocessor::default());
    let _ = std::fs::remove_dir_all(&directory);
    front
}

fn check_source(test: &str, text: &str) -> Checked {
    let checked = front_of(test, text).finish();
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    checked
}

/// The conditions of all `if`s: `line:col-line:col text`.
fn conditions(checked: &Checked) -> Vec<String> {
    let mut out = Vec::new();
    for id in checked.program.function_ids() {
        let Some(body) = &checked.program.function(id).body else { continue };
        let StmtKind::Block(statements) = &checked.program.stmt(body.body).kind else { continue };
        for &statement in statements {
            if let StmtKind::If { condition, .. } = checked.program.stmt(statement).kind {
                collect(checked, condition, &mut out);
            }
        }
    }
    out
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other expression is a condition")]
fn collect(checked: &Checked, expr: ExprId, out: &mut Vec<String>) {
    match &checked.program.expr(expr).kind {
        ExprKind::Logical { left, right, .. } => {
            collect(checked, *left, out);
            collect(checked, *right, out);
        }
        ExprKind::LogicalNot(operand) | ExprKind::Convert { operand, .. } => {
            collect(checked, *operand, out)
        }
        _ => {
            let span = checked.program.expr(expr).span;
            let place = checked.sources.resolve(span);
            out.push(format!(
                "{}:{}-{}:{} {}",
                place.line,
                place.column,
                place.end_line,
                place.end_column,
                checked.sources.snippet(span)
            ));
        }
    }
}

#[track_caller]
fn check(test: &str, text: &str, expect: &[&str]) {
    assert_eq!(conditions(&check_source(test, text)), expect);
}

#[test]
fn spaces_comments_and_tabs_keep_columns() {
    check(
        "spaces",
        "int f(int a,int b) {\n\tif (a   /* odd */ ==  3 && ( b )) return 1;\n  return 0;\n}\n",
        &["2:6-2:25 a   /* odd */ ==  3", "2:31-2:32 b"],
    );
}

#[test]
fn lines_after_comments_and_excluded_code_are_right() {
    check(
        "lines",
        "/* two\n lines */ int f(int a) {\n#if 0\n junk (\n#endif\n  if (\\\n a) return 1;\n  return 0; }\n",
        &["7:2-7:3 a"],
    );
}

#[test]
fn arguments_of_macros_keep_their_place() {
    check(
        "arguments",
        "#define unlikely(x) __builtin_expect(!!(x), 0)\n#define BOTH(a, b) ((a) && (b))\n\
         int f(int a, int b) {\n  if (unlikely(a == 3 && b)) return 1;\n  if (BOTH(a > 1, b < 2) || a) return 2;\n  return 0;\n}\n",
        &["4:16-4:22 a == 3", "4:26-4:27 b", "5:12-5:17 a > 1", "5:19-5:24 b < 2", "5:29-5:30 a"],
    );
}

#[test]
fn what_a_macro_makes_has_the_place_of_its_use() {
    check(
        "expansion",
        "#define LIMIT 10\n#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')\n\
         int f(int a, int b) {\n  if (a < LIMIT && b) return 1;\n  if (IS_DIGIT(a) && b) return 2;\n  return 0;\n}\n",
        &[
            "4:7-4:16 a < LIMIT",
            "4:20-4:21 b",
            "5:7-5:18 IS_DIGIT(a)",
            "5:7-5:18 IS_DIGIT(a)",
            "5:22-5:23 b",
        ],
    );
}

#[test]
fn macro_uses_over_several_lines() {
    check(
        "multiline",
        "#define ALL(a, b, c) ((a) && (b) && (c))\nint f(int a, int b) {\n  if (ALL(a,\n          b > 2,\n      !a) || b)\n    return 1;\n  return 0;\n}\n",
        &["3:11-3:12 a", "4:11-4:16 b > 2", "5:8-5:9 a", "5:14-5:15 b"],
    );
}

#[test]
fn several_macros_on_one_line() {
    check(
        "several",
        "#define FOO 1\n#define BAR(x) (x + FOO)\n#define DONE { a++; b++; } ;\n\
         int f(int a, int b) {\n  if (a == FOO && b == BAR(2) || (BAR(a))) return 1;\n\
           DONE if (a) DONE\n  return 0;\n}\n",
        &["5:7-5:15 a == FOO", "5:19-5:30 b == BAR(2)", "5:35-5:41 BAR(a)", "6:10-6:11 a"],
    );
}

#[test]
fn macros_named_like_themselves_and_undefined_ones() {
    check(
        "self",
        "#define a a\n#define b c\n#undef b\n#define twice(x) twice(x, x)\nint (twice)(int, int);\n\
         int f(int a, int b) {\n  if (a && b > 2 && twice(a)) return 1;\n  return 0;\n}\n",
        &["7:7-7:8 a", "7:12-7:17 b > 2", "7:21-7:29 twice(a)"],
    );
}

/// The places and texts of all assertions, in the order of places.
#[track_caller]
fn check_assertions(test: &str, text: &str, expect: &[&str]) {
    let program = compile(front_of(test, text), Promotion::Promote).program.expect("a program");
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let instrs = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instrs);
    let mut found: Vec<_> = instrs
        .filter_map(|instr| {
            let InstrKind::Check(Check::Condition { demand, .. }) = &instr.kind else {
                return None;
            };
            Some((instr.span, demand.as_ref()?.to_string()))
        })
        .collect();
    found.sort();
    let shown = found.iter().map(|(span, message)| format!("{span:?} {message}"));
    assert_eq!(shown.collect::<Vec<_>>(), expect);
}

#[test]
fn assertions_on_one_line_have_their_own_places() {
    check_assertions(
        "assertions",
        "#include <assert.h>\nvoid f(int x) {\n  assert(x != 7); assert(x == x); }\n",
        &["file0:3:3-3:17 x != 7", "file0:3:19-3:33 x == x"],
    );
}

#[test]
fn assertions_of_one_macro_use_are_distinct() {
    check_assertions(
        "in-macro",
        "#include <assert.h>\n#define BOTH(a) do { assert(a != 7); assert(a == a); } while (0)\n\
         void f(int x) {\n  BOTH(x);\n  BOTH(x + 1);\n}\n",
        &[
            "file0:4:3-4:10 x != 7",
            "file0:4:3-4:10+1 x == x",
            "file0:5:3-5:14 x + 1 != 7",
            "file0:5:3-5:14+1 x + 1 == x + 1",
        ],
    );
}

#[test]
fn macros_of_system_headers_have_the_place_of_their_use() {
    check(
        "system",
        "#include <limits.h>\n#include <stddef.h>\nint f(int a, int *p) {\n\
         \x20 if (a < INT_MAX && p != NULL) return 1;\n  return 0;\n}\n",
        &["4:7-4:18 a < INT_MAX", "4:22-4:31 p != NULL"],
    );
}

#[test]
fn places_in_included_files() {
    let directory =
        std::env::temp_dir().join(format!("glassbox-places-inc-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a scratch directory");
    std::fs::write(
        directory.join("inc.h"),
        "\nstatic int g(int v) {\n  if (v  >  1) return 1;\n  return 0;\n}\n",
    )
    .expect("a header");
    std::fs::write(
        directory.join("p.c"),
        "#include \"inc.h\"\nint f(int w) {\n  if (w) return g(w);\n  return 0;\n}\n",
    )
    .expect("a file");
    let mut front = Front::new();
    let preprocessor =
        Preprocessor { directory: Some(directory.clone()), ..Preprocessor::default() };
    front.add_file(&PathBuf::from("p.c"), &preprocessor);
    let checked = front.finish();
    let _ = std::fs::remove_dir_all(&directory);
    assert_eq!(conditions(&checked), ["3:7-3:14 v  >  1", "3:7-3:8 w"]);
}
