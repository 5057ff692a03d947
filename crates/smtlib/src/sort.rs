//! Sorts of a script.

use glassbox_terms::{Scalar, Sort};
use glassbox_values::Format;
use glassbox_values::bits::MAX_WIDTH;
use rustc_hash::FxHashMap;

use crate::error::{Fault, Outcome};
use crate::expr::SurfaceSort;
use crate::sexp::{NodeId, NodeKind, Sexp};

// Sorts nest through arrays (refused) and definitions; no real script nests them this deep.
const MAX_DEPTH: u32 = 50;

/// A sort with parameters that the script defined.
#[derive(Debug, Clone)]
pub(crate) struct SortDefinition {
    pub(crate) parameters: Vec<String>,
    pub(crate) body: Sexp,
}

/// Where sorts are looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SortReader<'a> {
    pub(crate) text: &'a str,
    pub(crate) definitions: &'a FxHashMap<String, SortDefinition>,
}

impl SortReader<'_> {
    pub(crate) fn read(&self, sexp: &Sexp, node: NodeId) -> Outcome<SurfaceSort> {
        self.read_within(sexp, node, &[], MAX_DEPTH)
    }

    fn read_within(
        &self,
        sexp: &Sexp,
        node: NodeId,
        parameters: &[(&str, SurfaceSort)],
        depth: u32,
    ) -> Outcome<SurfaceSort> {
        let here = |fault: Fault| fault.at(sexp.offset(node));
        if depth == 0 {
            return Err(here(Fault::unsupported("a sort nested this deeply")));
        }
        if let Some(name) = sexp.symbol(self.text, node) {
            if let Some((_, sort)) = parameters.iter().find(|(parameter, _)| *parameter == name) {
                return Ok(*sort);
            }
            if let Some(sort) = named(name) {
                return sort.map_err(here);
            }
            return self.apply(name, &[], depth).map_err(here);
        }
        let mut members = sexp.children(node);
        let head = members.next().and_then(|head| sexp.symbol(self.text, head));
        match head {
            Some("_") => self.indexed(sexp, node).map_err(here),
            Some("Array") => {
                let Some([_, index, element]) = sexp.members(node) else {
                    return Err(here(Fault::sort("an array has an index and an element sort")));
                };
                let index = self.read_within(sexp, index, parameters, depth - 1)?;
                let element = self.read_within(sexp, element, parameters, depth - 1)?;
                array(index, element).map_err(here)
            }
            Some(name) => {
                let mut arguments = Vec::new();
                for member in members {
                    arguments.push(self.read_within(sexp, member, parameters, depth - 1)?);
                }
                self.apply(name, &arguments, depth).map_err(here)
            }
            None => Err(here(Fault::syntax("this is not a sort"))),
        }
    }

    fn apply(&self, name: &str, arguments: &[SurfaceSort], depth: u32) -> Outcome<SurfaceSort> {
        let Some(definition) = self.definitions.get(name) else {
            return Err(Fault::sort(format!("unknown sort `{name}`")));
        };
        if definition.parameters.len() != arguments.len() {
            return Err(Fault::sort(format!(
                "sort `{name}` takes {} arguments",
                definition.parameters.len()
            )));
        }
        let bound: Vec<(&str, SurfaceSort)> = definition
            .parameters
            .iter()
            .map(String::as_str)
            .zip(arguments.iter().copied())
            .collect();
        self.read_within(&definition.body, 0, &bound, depth - 1)
    }

    fn indexed(&self, sexp: &Sexp, node: NodeId) -> Outcome<SurfaceSort> {
        let members: Vec<NodeId> = sexp.children(node).skip(1).collect();
        let name = members.first().and_then(|&name| sexp.symbol(self.text, name));
        let index = |position: usize| number(sexp, self.text, members[position]);
        match (name, members.len()) {
            (Some("BitVec"), 2) => {
                let width = index(1)?;
                match width {
                    0 => Err(Fault::sort("a bit-vector has at least one bit")),
                    1..=128 => {
                        let width = u8::try_from(width).expect("at most 128");
                        Ok(SurfaceSort::Plain(Sort::Bv(width)))
                    }
                    _ => Err(too_wide()),
                }
            }
            (Some("FloatingPoint"), 3) => {
                let format = float_format(index(1)?, index(2)?)?;
                Ok(SurfaceSort::Plain(Sort::Float(format)))
            }
            (Some(name), _) => Err(Fault::sort(format!("unknown sort `(_ {name} ...)`"))),
            (None, _) => Err(Fault::syntax("this is not a sort")),
        }
    }
}

fn named(name: &str) -> Option<Outcome<SurfaceSort>> {
    let float = |format| Ok(SurfaceSort::Plain(Sort::Float(format)));
    Some(match name {
        "Bool" => Ok(SurfaceSort::Plain(Sort::Bool)),
        "RoundingMode" => Ok(SurfaceSort::Rounding),
        "Int" => Ok(SurfaceSort::Int),
        "Real" => Ok(SurfaceSort::Real),
        "Float16" => float(Format::F16),
        "Float32" => float(Format::F32),
        "Float64" => float(Format::F64),
        "Float128" => Err(Fault::unsupported("floats of more than 64 bits")),
        _ => return None,
    })
}

fn array(index: SurfaceSort, element: SurfaceSort) -> Outcome<SurfaceSort> {
    let SurfaceSort::Plain(Sort::Bv(index)) = index else {
        return Err(Fault::unsupported(format!("arrays indexed by {index}; only bit-vectors are")));
    };
    let element: Option<Scalar> = match element {
        SurfaceSort::Plain(sort) => sort.scalar(),
        SurfaceSort::Rounding | SurfaceSort::Int | SurfaceSort::Real => None,
    };
    match element {
        Some(element) => Ok(SurfaceSort::Plain(Sort::Array { index, element })),
        None => Err(Fault::unsupported("arrays of anything but Bool, bit-vectors and floats")),
    }
}

pub(crate) fn too_wide() -> Fault {
    Fault::unsupported(format!("bit-vectors of more than {MAX_WIDTH} bits"))
}

/// The float format with so many exponent and significand bits.
pub(crate) fn float_format(exponent: u64, significand: u64) -> Outcome<Format> {
    if exponent < 2 || significand < 2 {
        return Err(Fault::sort("a float has at least two exponent and two significand bits"));
    }
    let format = u8::try_from(exponent)
        .ok()
        .zip(u8::try_from(significand).ok())
        .and_then(|(exponent, significand)| Format::new(exponent, significand));
    format.ok_or_else(|| {
        Fault::unsupported("floats with more than 11 exponent or 53 significand bits")
    })
}

/// An index: a numeral.
pub(crate) fn number(sexp: &Sexp, text: &str, node: NodeId) -> Outcome<u64> {
    if sexp.kind(node) != NodeKind::Numeral {
        return Err(Fault::syntax("a numeral should be here").at(sexp.offset(node)));
    }
    sexp.source(text, node)
        .parse()
        .map_err(|_| Fault::unsupported("an index this large").at(sexp.offset(node)))
}
