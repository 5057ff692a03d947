//! Newton steps: all float inputs move at once toward where the comparisons would just hold.
//!
//! The difference of the two sides of each float comparison that fails, or that must be an equality, is
//! a residual; its derivatives come from finite differences on the tape. The step solves the damped
//! normal equations (Levenberg, Quarterly of Applied Mathematics 1944), so that too many and too few
//! comparisons are both fine. Coordinate steps stop in valleys that no single input follows; these go
//! along them. Rounding makes the derivatives wrong at the last few units, where climbing takes over.

use glassbox_terms::Sort;
use glassbox_values::{Float, Format, RoundingMode};

use crate::distance::Distances;
use crate::tape::{State, Tape};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// More inputs than this are left to the other moves; the cost grows with the square.
const MAX_INPUTS: usize = 12;

/// The float inputs of a tape, and a step for each.
#[derive(Debug)]
pub(crate) struct Step {
    inputs: Vec<(usize, Format)>,
    from: Vec<f64>,
    by: Vec<f64>,
}

impl Step {
    /// The inputs after `share` of the step: position and register value.
    pub(crate) fn taken(&self, share: f64) -> Vec<(usize, u64)> {
        self.inputs
            .iter()
            .zip(self.from.iter().zip(&self.by))
            .map(|(&(index, format), (from, by))| (index, bits_of(from + share * by, format)))
            .collect()
    }
}

/// The float inputs, if there are few enough for Newton steps.
pub(crate) fn float_inputs(tape: &Tape) -> Vec<(usize, Format)> {
    let found: Vec<(usize, Format)> = tape
        .inputs
        .iter()
        .enumerate()
        .filter_map(|(index, input)| match input.sort {
            Sort::Float(format) => Some((index, format)),
            Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => None,
        })
        .collect();
    if found.len() <= MAX_INPUTS { found } else { Vec::new() }
}

/// What a step does about comparisons that hold already and need not be equalities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// Nothing: they may fail afterwards.
    No,
    /// It keeps the difference of their sides as it is.
    Yes,
}

/// The Newton step from a state, with this much damping; `None` when nothing is to be done or some
/// difference is not a finite number. The state is as before afterwards.
pub(crate) fn step(
    tape: &Tape,
    distances: &Distances,
    state: &mut State,
    inputs: &[(usize, Format)],
    held: Held,
    damping: f64,
) -> Option<Step> {
    let (active, holding) = distances.active_differences(&state.registers, held);
    let here: Vec<f64> = distances.differences(&active, &state.registers)?;
    if active.len() == holding || inputs.is_empty() {
        return None;
    }
    let mut from = Vec::with_capacity(inputs.len());
    let mut columns = Vec::with_capacity(inputs.len());
    for &(index, format) in inputs {
        let old = state.registers[tape.inputs[index].register as usize];
        let value = Float::from_bits(old, format).to_f64();
        if !value.is_finite() {
            return None;
        }
        let wish = value + value.abs().max(1e-3) * difference_scale(format);
        let moved = bits_of(wish, format);
        // What was really added, after rounding to the format.
        let width = Float::from_bits(moved, format).to_f64() - value;
        tape.set(state, index, moved);
        let there = distances.differences(&active, &state.registers);
        tape.set(state, index, old);
        let there = there?;
        let column: Vec<f64> =
            there.iter().zip(&here).map(|(after, before)| (after - before) / width).collect();
        if column.iter().any(|slope| !slope.is_finite()) {
            return None;
        }
        from.push(value);
        columns.push(column);
    }
    let mut residuals = here;
    let first_held = residuals.len() - holding;
    residuals[first_held..].fill(0.0);
    let by = damped_solution(&columns, &residuals, damping)?;
    Some(Step { inputs: inputs.to_vec(), from, by })
}

/// About the square root of the format's precision: large enough to be seen through rounding, small
/// enough to be a derivative.
fn difference_scale(format: Format) -> f64 {
    2_f64.powi(-(i32::from(format.significand) / 2))
}

fn bits_of(value: f64, format: Format) -> u64 {
    Float::from_f64(value).convert(format, NEAREST).to_bits()
}

/// Solves (JᵀJ + damping · diagonal) step = -Jᵀ residuals; `columns` are those of J.
fn damped_solution(columns: &[Vec<f64>], residuals: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = columns.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = columns.iter().map(|column| dot(&columns[i], column)).collect();
            row.push(-dot(&columns[i], residuals));
            row
        })
        .collect();
    let trace: f64 = (0..n).map(|i| rows[i][i]).sum();
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] += damping * (row[i] + 1e-3 * trace / n as f64);
    }
    // Elimination with row pivots.
    for pivot in 0..n {
        let best =
            (pivot..n).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))?;
        rows.swap(pivot, best);
        if rows[pivot][pivot] == 0.0 || !rows[pivot][pivot].is_finite() {
            return None;
        }
        let pivot_row = rows[pivot].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != pivot {
                let factor = row[pivot] / pivot_row[pivot];
                for (entry, above) in row.iter_mut().zip(&pivot_row) {
                    *entry -= factor * above;
                }
            }
        }
    }
    let solution: Vec<f64> = (0..n).map(|i| rows[i][n] / rows[i][i]).collect();
    solution.iter().all(|entry| entry.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_system_is_solved_in_one_step() {
        // 2x + y = 5 and x - y = 1, from (0, 0): the residuals are -5 and -1.
        let columns = [vec![2.0, 1.0], vec![1.0, -1.0]];
        let step = damped_solution(&columns, &[-5.0, -1.0], 0.0).expect("regular");
        assert!((step[0] - 2.0).abs() < 1e-12 && (step[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_singular_system_needs_damping() {
        let columns = [vec![1.0], vec![1.0]];
        assert_eq!(damped_solution(&columns, &[-2.0], 0.0), None);
        let step = damped_solution(&columns, &[-2.0], 1e-6).expect("damped");
        assert!((step[0] + step[1] - 2.0).abs() < 1e-3);
    }
}
