//! Which function has which native body: every file lists its own, by the names of the catalogue's rows.

use glassbox_ir::PointerSize;

use crate::env::{Answer, Env};
use crate::{errors, files, formatted, input, math, number, output, process, random, time};

/// A native model of a library function.
pub(crate) type Model = fn(&mut Env<'_>) -> Answer;

const FILES: &[&[(&str, Model)]] = &[
    errors::NATIVES,
    files::NATIVES,
    formatted::NATIVES,
    input::NATIVES,
    math::NATIVES,
    number::NATIVES,
    output::NATIVES,
    process::NATIVES,
    random::NATIVES,
    time::NATIVES,
];

/// Those that hold where pointers and `long` have four bytes: the others know layouts and numbers of 64 bits.
const SMALL: &[&[(&str, Model)]] =
    &[errors::NATIVES, formatted::NATIVES, input::NATIVES, output::NATIVES, process::NATIVES];

/// The native body of a function, if there is one.
pub(crate) fn body_of(known: &glassbox_library::Function, pointers: PointerSize) -> Option<Model> {
    let files = match pointers {
        PointerSize::Four => SMALL,
        PointerSize::Eight => FILES,
    };
    let mut natives = files.iter().copied().flatten();
    natives.find(|(native, _)| *native == known.name).map(|(_, model)| *model)
}

#[cfg(test)]
mod tests {
    use glassbox_library::{Body, find, functions};

    use super::FILES;

    #[test]
    fn every_native_body_has_a_row_that_says_so() {
        for (name, _) in FILES.iter().copied().flatten() {
            let known = find(name).unwrap_or_else(|| panic!("`{name}` has no row"));
            assert_eq!((known.name.as_str(), known.body()), (*name, Body::Native));
        }
    }

    #[test]
    fn every_native_row_has_one_body() {
        let natives: Vec<&str> = FILES.iter().copied().flatten().map(|(name, _)| *name).collect();
        // What Java programs print is written by `java`.
        let rows = functions().filter(|(name, function)| {
            *name == function.name
                && function.body() == Body::Native
                && !name.starts_with("glassbox.")
        });
        for (name, _) in rows {
            let n_bodies = natives.iter().filter(|native| **native == name).count();
            assert_eq!(n_bodies, 1, "{name}");
        }
    }
}
