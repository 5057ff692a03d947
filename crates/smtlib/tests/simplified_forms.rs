//! What the builders make of terms that programs produce: one line per rule worth keeping.

use glassbox_smtlib::{Command, Front};
use glassbox_terms::{Terms, display};

const DECLARATIONS: &str = "
(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32)) (declare-const z (_ BitVec 32))
(declare-const b (_ BitVec 8)) (declare-const c (_ BitVec 8)) (declare-const l (_ BitVec 64))
(declare-const p Bool) (declare-const q Bool)
(declare-const f Float32) (declare-const g Float32) (declare-const d Float64)
(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))
(define-fun int ((v Bool)) (_ BitVec 32) (ite v #x00000001 #x00000000))
(define-fun i32 ((v (_ BitVec 8))) (_ BitVec 32) ((_ sign_extend 24) v))
(define-fun u32 ((v (_ BitVec 8))) (_ BitVec 32) ((_ zero_extend 24) v))
(define-fun f64 ((v Float32)) Float64 ((_ to_fp 11 53) RNE v))
(define-fun f32 ((v Float64)) Float32 ((_ to_fp 8 24) RNE v))
(define-fun one () (_ BitVec 32) #x00000001)
(define-fun zero () (_ BitVec 32) #x00000000)
";

#[track_caller]
fn check(term: &str, expected: &str) {
    let text = format!("{DECLARATIONS}(get-value ({term}))");
    let mut terms = Terms::new();
    let mut front = Front::new(&text);
    let mut shown = String::new();
    while let Some(command) = front.next_command(&mut terms) {
        if let Command::GetValue(queries) = command.unwrap_or_else(|error| panic!("{error}")) {
            shown = display(&terms, queries[0].term);
        }
    }
    assert_eq!(shown, expected, "{term}");
}

#[test]
fn conditions_of_c_and_the_jvm() {
    check("(not (= (int (bvslt x y)) zero))", "x < y");
    check("(= (int (bvslt x y)) zero)", "y <= x");
    check("(not (= (bvand (int (bvslt x y)) (int p)) zero))", "p && x < y");
    check("(= (bvxor (int p) one) zero)", "p");
    // Three-way comparisons as `lcmp` makes them.
    let lcmp = "(ite (bvslt x y) #xffffffff (ite (= x y) zero one))";
    check(&format!("(bvslt {lcmp} zero)"), "x < y");
    check(&format!("(bvsle {lcmp} zero)"), "x <= y");
    check(&format!("(= {lcmp} zero)"), "x == y");
    check(&format!("(bvsgt {lcmp} zero)"), "y < x");
    check(&format!("(bvsge {lcmp} zero)"), "y <= x");
    check("(ite p true q)", "p || q");
    check("(ite p (ite p x y) z)", "p ? x : z");
    check("(ite p x (ite q x y))", "p || q ? x : y");
    check("(ite (= x y) x y)", "y");
}

#[test]
fn comparisons_have_one_form() {
    check("(bvsle x #x00000005)", "x < 6");
    check("(not (bvslt x #x00000006))", "5 < x");
    check("(bvult x one)", "x == 0");
    check("(bvult zero x)", "x != 0");
    check("(bvule x #xffffffff)", "true");
    check("(= (bvadd x #x00000003) #x00000005)", "x == 2");
    check("(= (bvsub #x00000003 x) #x00000005)", "x == -2");
    check("(= (bvmul x #x00000003) #x00000009)", "x == 3");
    check("(= (bvmul x #x00000002) #x00000009)", "false");
    check("(= (bvsub x y) zero)", "x == y");
    check("(= (bvadd x one) (bvadd y #x00000003))", "x == y + 2");
    check("(= (bvand x #x000000ff) #x00000041)", "(u8)x == 65");
    check("(= (bvand x one) #x00000002)", "false");
    check("(bvslt (i32 b) #x00000064)", "b < 100");
    check("(bvslt (u32 b) #x00000064)", "b <u 100");
    check("(bvslt (u32 b) #x00000100)", "true");
    check("(= (u32 b) #x00000100)", "false");
    check("(bvslt (i32 b) (i32 c))", "b < c");
    check("(bvslt (u32 b) (u32 c))", "b <u c");
    check("(and (bvsle x y) (not (= x y)))", "x < y");
    check("(or (bvult x y) (= y x))", "x <=u y");
    check("(and (bvslt x y) (bvsle y x))", "false");
    check("(or p q (not p))", "true");
    check("(and p (or p q))", "p");
    check("(and p (or (not p) q))", "p && q");
}

#[test]
fn sums_collect() {
    check("(bvadd (bvadd x one) (bvadd y one))", "x + y + 2");
    check("(bvsub (bvadd x y) x)", "y");
    check("(bvadd x x x)", "x * 3");
    check("(bvsub (bvmul x #x00000005) x)", "x * 4");
    check("(bvadd (bvshl x #x00000002) x)", "x * 5");
    check("(bvmul (bvadd x one) #x00000004)", "x * 4 + 4");
    check("(bvneg (bvsub x y))", "y - x");
    check("(bvadd (bvnot x) one)", "-x");
    check("(bvudiv x #x00000008)", "x >>> 3");
    check("(bvurem x #x00000008)", "x & 7");
}

#[test]
fn moved_bits_find_their_source() {
    check("((_ extract 7 0) (bvadd (i32 b) one))", "b + 1");
    check("(bvashr (bvshl x #x00000018) #x00000018)", "(i32)(u8)x");
    check("(concat ((_ extract 31 8) x) ((_ extract 7 0) x))", "x");
    check("((_ extract 15 8) (bvlshr x #x00000008))", "x[23:16]");
    check("(bvor (u32 b) (bvshl (u32 c) #x00000008))", "(u32)concat(c, b)");
    check("(= (concat b c) #x0102)", "b == 1 && c == 2");
}

#[test]
fn overflow_checks_of_narrow_numbers_vanish() {
    check("(bvsaddo (i32 b) (i32 c))", "false");
    check("(bvsmulo (i32 b) (u32 c))", "false");
    check("(bvsaddo x one)", "x == 2147483647");
    check("(bvssubo x #x00000005)", "x < -2147483643");
    check("(bvsmulo x #x00000002)", "x < -1073741824 || 1073741823 < x");
    check("(bvusubo x y)", "x <u y");
}

#[test]
fn floats_lose_their_widening() {
    check("(fp.lt (f64 f) ((_ to_fp 11 53) RNE 0.5))", "f < 0.5");
    check("(fp.lt (f64 f) (f64 g))", "f < g");
    check("(fp.eq (f64 f) ((_ to_fp 11 53) RNE 0.1))", "false");
    check("(f32 (fp.mul RNE (f64 f) (f64 g)))", "f * g");
    check("(f32 (fp.add RNE (f64 f) ((_ to_fp 11 53) RNE 0.1)))", "(f32)((f64)f + 0.1)");
    check("(fp.lt ((_ to_fp 11 53) RNE x) ((_ to_fp 11 53) RNE 2.5))", "x < 3");
    check("(fp.div RNE d ((_ to_fp 11 53) RNE 4.0))", "d * 0.25");
    check("(fp.eq f f)", "!isnan(f)");
    check("(fp.add RNE f (_ +zero 8 24))", "f + 0.0");
    check("(fp.add RNE f (_ -zero 8 24))", "f");
}

#[test]
fn reads_look_through_writes() {
    check("(select (store (store a x b) (bvadd x one) c) x)", "b");
    check("(select (store a zero b) one)", "a[1]");
    check("(store (store a x b) x c)", "a[x := c]");
    check("(store a x (select a x))", "a");
}
