//! Whatever the text is, reading it ends in commands and errors.

use glassbox_smtlib::{Front, answer};
use glassbox_terms::{Model, Terms};
use glassbox_testkit::Random;

const SCRIPTS: [&str; 4] = [
    "(set-logic QF_ABVFP)(set-option :global-declarations false)(declare-const x (_ BitVec 8))
     (declare-fun |a b| () (Array (_ BitVec 8) (_ FloatingPoint 3 4)))(declare-const r RoundingMode)
     (define-sort Word () (_ BitVec 16))(define-sort Map (T U) (Array T U))
     (declare-const m (Map Word Bool))(define-fun f ((v Word) (w Word)) Bool (bvult v (bvmul w v)))
     (assert (! (f #x0001 ((_ sign_extend 8) x)) :named n1))(push 1)(check-sat-assuming (n1 (not n1)))
     (get-value (x (select |a b| x) r))(pop 1)(get-model)(get-unsat-core)(exit)",
    "(declare-const i Int)(declare-const j Int)(assert (<= (- 5) (+ i (* 3 j) (mod j 7)) 100))
     (assert (let ((k (div i 2)) (l (ite (> i j) i j))) (and (distinct k l 5) ((_ divisible 3) k))))
     (assert (= ((_ int2bv 8) i) (_ bv200 8)))(check-sat)(get-assertions)(reset-assertions)(reset)",
    "(declare-const d Float64)(declare-const e Float32)(declare-const b (_ BitVec 32))
     (assert (fp.lt (fp.fma RNE d d ((_ to_fp 11 53) RTZ e)) ((_ to_fp 11 53) RNA 0.1)))
     (assert (= ((_ fp.to_sbv 32) RTN e) b))(assert (fp.eq (fp.min d d) (fp.max d (_ -zero 11 53))))
     (assert (fp.isNaN (fp.rem (fp #b0 #b00000000001 #x0000000000000) d)))(check-sat)
     (assert (= e ((_ to_fp 8 24) b)))(assert (= d ((_ to_fp_unsigned 11 53) RTP b)))(echo \"x\"\"y\")",
    "(declare-const x (_ BitVec 4)) ; comment
     (assert (= (bvcomp x #b1010) ((_ extract 0 0) (bvashr x (bvudiv x #xf)))))
     (assert (let ((x (bvnot x)) (y x)) (bvsgt (bvxnor x y) (bvsmod y ((_ rotate_right 3) x)))))
     (assert (bvumulo x ((_ repeat 2) ((_ extract 2 1) x))))(assert (=> true (xor false (bvnego x))))",
];

fn read_all(text: &str) -> usize {
    let mut terms = Terms::new();
    let mut front = Front::new(text);
    let mut n_errors = 0;
    while let Some(command) = front.next_command(&mut terms) {
        if let Err(error) = command {
            n_errors += 1;
            answer::error(&error);
        }
    }
    answer::model(&terms, front.constants(), &Model::new());
    n_errors
}

#[test]
fn the_unchanged_scripts_are_right() {
    for script in SCRIPTS {
        assert_eq!(read_all(script), 0, "{script}");
    }
}

/// Pieces that are likely to hurt when put somewhere.
const PIECES: [&str; 34] = [
    "(",
    ")",
    "()",
    "((",
    "))",
    "_",
    "(_ bv0 0)",
    "(_ bv1 1)",
    "#b",
    "#x",
    "#b1",
    "#xffffffffffffffff",
    "0",
    "1",
    "128",
    "129",
    "18446744073709551616",
    "1.5",
    "|",
    "\"",
    ":named",
    "!",
    "let",
    "as",
    "RNE",
    "(- 1)",
    "Int",
    "Real",
    "(_ BitVec 128)",
    "((as const (Array (_ BitVec 1) Bool)) true)",
    "\\",
    "é",
    "(let ((x x)) x)",
    "x",
];

#[test]
fn mutated_scripts_never_panic() {
    let mut random = Random::new(1);
    for round in 0..6000 {
        let mut text: Vec<char> = SCRIPTS[round % SCRIPTS.len()].chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len());
            match random.below(6) {
                0 => {
                    text.remove(at);
                }
                1 => {
                    let piece = random.pick(&PIECES);
                    let _: Vec<char> = text.splice(at..at, piece.chars()).collect();
                }
                2 => {
                    let end = (at + 1 + random.below(12)).min(text.len());
                    let _: Vec<char> = text.drain(at..end).collect();
                }
                3 => {
                    let end = (at + 1 + random.below(40)).min(text.len());
                    let copy: Vec<char> = text[at..end].to_vec();
                    let to = random.below(text.len());
                    let _: Vec<char> = text.splice(to..to, copy).collect();
                }
                4 => text[at] = char::from(32 + random.below(95_u8)),
                _ => {
                    // A whole word is replaced by another one of the script or a piece.
                    let piece: Vec<char> = random.pick(&PIECES).chars().collect();
                    let is_word = |c: &char| c.is_alphanumeric() || "_.#".contains(*c);
                    let start = (0..=at).rev().find(|&i| !is_word(&text[i])).map_or(0, |i| i + 1);
                    let end = (at..text.len()).find(|&i| !is_word(&text[i])).unwrap_or(text.len());
                    if start < end {
                        let _: Vec<char> = text.splice(start..end, piece).collect();
                    }
                }
            }
            if text.is_empty() {
                text.push('(');
            }
        }
        let text: String = text.into_iter().collect();
        read_all(&text);
    }
}

#[test]
fn a_million_levels_of_nesting() {
    let deep = 1_000_000;
    let nots =
        format!("(declare-const p Bool)(assert {}p{})", "(not ".repeat(deep), ")".repeat(deep));
    assert_eq!(read_all(&nots), 0);
    let mut lets = String::from("(declare-const x0 (_ BitVec 32))(assert ");
    for level in 0..300_000 {
        lets.push_str(&format!("(let ((x{} (bvmul x{level} x{level}))) ", level + 1));
    }
    lets.push_str(&format!("(= x300000 #x00000000){})", ")".repeat(300_000)));
    assert_eq!(read_all(&lets), 0);
    let sorts = format!(
        "(declare-const a {}Bool{})",
        "(Array (_ BitVec 1) ".repeat(deep),
        ")".repeat(deep)
    );
    assert_eq!(read_all(&sorts), 1);
    assert_eq!(read_all(&"(".repeat(deep)), 1);
    assert_eq!(read_all(&format!("{}x{}", "(".repeat(deep), ")".repeat(deep))), 1);
    let ands =
        format!("(declare-const p Bool)(assert {}p{})", "(and p ".repeat(deep), ")".repeat(deep));
    assert_eq!(read_all(&ands), 0);
}

#[test]
fn exponential_definitions_are_shared_or_refused() {
    let mut shared = String::from("(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvmul x x))");
    for level in 1..200 {
        shared.push_str(&format!(
            "(define-fun f{level} ((x (_ BitVec 8))) (_ BitVec 8) (bvudiv (f{} x) (f{} x)))",
            level - 1,
            level - 1
        ));
    }
    assert_eq!(read_all(&shared), 0);
}

#[test]
fn long_flat_terms_and_literals() {
    let wide = format!("(assert (= #x{} #x0))", "f".repeat(1_000_000));
    assert_eq!(read_all(&wide), 1);
    let number = format!("(assert (fp.isNaN ((_ to_fp 8 24) RNE 0.{})))", "1".repeat(1_000_000));
    assert_eq!(read_all(&number), 1);
    let sum =
        format!("(declare-const x (_ BitVec 32))(assert (= x (bvadd x {})))", "x ".repeat(300_000));
    assert_eq!(read_all(&sum), 0);
    let many = format!("(declare-const p Bool)(assert (and {}))", "p (not p) ".repeat(100_000));
    assert_eq!(read_all(&many), 0);
    assert_eq!(read_all("(push 99999999999)(push 1000000)(push 1)(pop 999999)(pop 2)"), 3);
}
