//! Random formulas at small widths against enumeration.
#![allow(clippy::print_stdout, reason = "how often the layer decides is the output of these tests")]

mod naive;

use glassbox_relax::relaxation::{Limits, Shaving};
use naive::campaign;

#[test]
fn two_variables_shallow() {
    let limits = Limits { shaving: Shaving::All, ..Limits::default() };
    println!("{}", campaign::run(1, 1200, &[3, 3, 0], 1, &limits));
}

#[test]
fn three_variables_deeper() {
    println!("{}", campaign::run(2, 700, &[3, 3, 2, 0], 2, &Limits::default()));
}

#[test]
fn mixed_widths_deep() {
    let limits = Limits { shaving: Shaving::All, branch_nodes: 6, ..Limits::default() };
    println!("{}", campaign::run(3, 250, &[4, 3, 2], 3, &limits));
}

#[test]
fn without_branching_and_shaving() {
    let limits = Limits {
        shaving: Shaving::Off,
        branch_nodes: 0,
        rounds: 1,
        polynomial_boxes: 0,
        ..Limits::default()
    };
    println!("{}", campaign::run(4, 1000, &[3, 2, 0], 2, &limits));
}

#[test]
fn planted_solutions_at_machine_widths_survive() {
    for (seed, widths) in
        [(5, &[32, 32, 0][..]), (6, &[8, 16, 32, 64]), (7, &[64, 64]), (8, &[1, 31, 33])]
    {
        println!("{}", campaign::run_planted(seed, 60, widths, 2, &Limits::default()));
    }
}
