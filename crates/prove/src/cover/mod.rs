//! Proofs by covering: the float inputs of a function are cut into boxes, and in each the function is run once for
//! all inputs of the box.
//!
//! Relation: no input of any box takes a forbidden edge. Strength: loops are followed as often as the box goes round
//! them, branches that a box does not decide are taken both ways, a box in which a forbidden edge may be
//! taken is cut in two until the budget ends. Not pruned: memory, calls and integers that depend on inputs are
//! anything, so functions of more than three float inputs are rarely decided. This is what chains of a dozen
//! divisions need, where circuits and linear relations say nothing (interval branch and prune, Neumaier 1990,
//! with the slopes of `form`).

mod form;
mod run;

use glassbox_ir::{BlockId, Body, FuncId, Program, Ty};
use glassbox_model::library;
use glassbox_relax::polynomial::Interval;
use glassbox_values::Format;

use crate::budget;
use crate::options::Options;
use crate::question::Question;
use form::{Enclosure, Form, MAX_SIDES, Offsets};
use run::{BoxRun, Ended, Forbidden, Known};

/// A side of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    /// Finite floats from the first to the last, by their places in the order of the format.
    Range(i64, i64),
    Special(Enclosure),
}

/// Whether no input of `function` does what the question asks, shown within the instructions that the options
/// allow. False says nothing.
pub(crate) fn excludes(
    program: &Program,
    function: FuncId,
    question: &Question,
    options: &Options,
) -> bool {
    let body = program.body(function);
    if body.blocks.iter().any(|block| library::has_hidden_control(program, block)) {
        return false;
    }
    let Some(forbidden) = forbidden(body, function, question) else { return false };
    let params = &body.blocks[Body::ENTRY].params;
    let formats: Vec<Option<Format>> = params
        .iter()
        .map(|param| match body.value_ty(*param) {
            Ty::Float(format) if format == Format::F64 || format == Format::F32 => Some(format),
            Ty::Float(_) | Ty::Int(_) | Ty::Ptr => None,
        })
        .collect();
    let n_sides = formats.iter().flatten().count();
    if n_sides == 0 || n_sides > MAX_SIDES {
        return false;
    }
    let sides: Vec<Format> = formats.iter().copied().flatten().collect();
    let mut waiting = all_boxes(&sides);
    let mut n_left = options.covering;
    while let Some(area) = waiting.pop() {
        if options.stop.is_set() {
            return false;
        }
        let (offsets, inputs) = enclose(&area, &sides);
        let mut inputs = inputs.into_iter();
        let known: Vec<Known> = formats
            .iter()
            .map(|format| match format {
                Some(_) => inputs.next().map_or(Known::Anything, Known::Float),
                None => Known::Anything,
            })
            .collect();
        let mut run = BoxRun { body, forbidden: &forbidden, offsets, n_left: &mut n_left };
        match run.run(&known) {
            Ended::Clean => {}
            Ended::OutOfSteps => return false,
            Ended::Doubtful => match halves(&area) {
                Some(halves) => waiting.extend(halves),
                None => return false,
            },
        }
    }
    true
}

/// What the question is about, as edges and blocks of the function.
fn forbidden(body: &Body, function: FuncId, question: &Question) -> Option<Forbidden> {
    let (edges, blocks) = match question {
        Question::Edge { function: at, block, edge } if *at == function => {
            (vec![(*block, *edge)], Vec::new())
        }
        Question::AnyEdge { function: at, edges } if *at == function => (edges.clone(), Vec::new()),
        Question::Reached(place) if place.function == function => (Vec::new(), vec![place.block]),
        Question::Edge { .. }
        | Question::AnyEdge { .. }
        | Question::Reached(_)
        | Question::CheckFails(_)
        | Question::AccessFails(_) => return None,
    };
    let mut is_ahead = vec![false; body.blocks.len()];
    let ends: Vec<BlockId> = edges.iter().map(|(block, _)| *block).chain(blocks.clone()).collect();
    let mut queue = ends;
    while let Some(block) = queue.pop() {
        if std::mem::replace(&mut is_ahead[block.index()], true) {
            continue;
        }
        let leads_here = |before: &BlockId| {
            let targets = body.block(*before).terminator.targets();
            targets.iter().any(|target| target.block == block)
        };
        queue.extend(body.block_ids().filter(leads_here));
    }
    Some(Forbidden { edges, blocks, is_ahead })
}

/// The place of the largest finite float of a format.
fn largest(format: Format) -> i64 {
    let word =
        if format == Format::F64 { f64::MAX.to_bits() } else { u64::from(f32::MAX.to_bits()) };
    word.cast_signed()
}

/// The float at a place: places count up from minus the largest float to the largest; both zeros are 0.
fn float_at(place: i64, format: Format) -> f64 {
    let magnitude = if format == Format::F64 {
        f64::from_bits(place.unsigned_abs())
    } else {
        f64::from(f32::from_bits(u32::try_from(place.unsigned_abs()).unwrap_or(0)))
    };
    if place < 0 { -magnitude } else { magnitude }
}

/// All floats of all sides: the finite ones, infinities and NaN apart.
fn all_boxes(sides: &[Format]) -> Vec<Vec<Side>> {
    let mut boxes: Vec<Vec<Side>> = vec![Vec::new()];
    for &format in sides {
        let choices = [
            Side::Range(-largest(format), largest(format)),
            Side::Special(Enclosure::Infinity { is_negative: false }),
            Side::Special(Enclosure::Infinity { is_negative: true }),
            Side::Special(Enclosure::Nan),
        ];
        let extend = |area: &Vec<Side>| {
            let area = area.clone();
            choices.map(|side| area.iter().copied().chain([side]).collect::<Vec<Side>>())
        };
        boxes = boxes.iter().flat_map(extend).collect();
    }
    boxes
}

/// The box as seen from its middle, and the inputs over it.
fn enclose(area: &[Side], sides: &[Format]) -> (Offsets, Vec<Enclosure>) {
    let mut offsets = [Interval::ZERO; MAX_SIDES];
    let mut inputs = Vec::with_capacity(area.len());
    for (position, (side, format)) in area.iter().zip(sides).enumerate() {
        inputs.push(match *side {
            Side::Special(special) => special,
            Side::Range(first, last) => {
                let range = Interval::new(float_at(first, *format), float_at(last, *format))
                    .expect("the first is not above the last");
                let middle = range.middle();
                offsets[position] = range.minus(Interval::point(middle));
                Enclosure::Number(Form::input(position, range, middle))
            }
        });
    }
    (Offsets(offsets), inputs)
}

/// The box cut at its longest side; `None` if it is too small.
fn halves(area: &[Side]) -> Option<[Vec<Side>; 2]> {
    let length = |side: &Side| match side {
        Side::Range(first, last) => u64::try_from(i128::from(*last) - i128::from(*first)).ok(),
        Side::Special(_) => None,
    };
    let (position, longest) = area
        .iter()
        .enumerate()
        .filter_map(|(position, side)| Some((position, length(side)?)))
        .max_by_key(|(_, length)| *length)?;
    if longest < budget::MIN_FLOATS.unsigned_abs() {
        return None;
    }
    let Side::Range(first, last) = area[position] else { return None };
    let middle = i64::midpoint(first, last);
    let (mut low, mut high) = (area.to_vec(), area.to_vec());
    low[position] = Side::Range(first, middle);
    high[position] = Side::Range(middle + 1, last);
    Some([low, high])
}

#[cfg(test)]
mod tests;
