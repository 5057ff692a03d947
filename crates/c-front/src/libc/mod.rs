//! Models of the C library, written in C.
//!
//! A program that calls `strlen` and does not define it gets the model's body: ordinary code that the
//! interpreter and the symbolic engines run like the user's own. A model of `strlen` is a function named
//! `__lib_strlen`, so that it never clashes with what a program declares; lowering makes the two one
//! function called `strlen`. A file named `<libc>/...` shows reports that a place is in the library.
//!
//! Input and output, time, and mathematics beyond IR floats are not here: they stay external functions.

mod catalog;
mod referenced;

use rustc_hash::FxHashMap;

use crate::tree::{self, FunctionId};

pub use catalog::{ModelUnit, missing_unit};

/// What the names of models begin with.
const PREFIX: &str = "__lib_";

/// Which functions of a program are library models, and whose bodies they are.
#[derive(Debug, Default)]
pub struct Models {
    model_of: FxHashMap<FunctionId, FunctionId>,
    user_of: FxHashMap<FunctionId, FunctionId>,
}

impl Models {
    /// Pairs the undefined functions of a program with the models that were added to it. A function
    /// that is declared with quite other types than the library's stays undefined.
    pub fn pair(program: &tree::Program) -> Models {
        let mut models = Models::default();
        let mut defined: FxHashMap<&str, FunctionId> = FxHashMap::default();
        for id in program.function_ids() {
            let function = program.function(id);
            if let Some(name) = program.name(function.name).strip_prefix(PREFIX)
                && function.body.is_some()
            {
                defined.insert(name, id);
            }
        }
        for id in program.function_ids() {
            let function = program.function(id);
            if function.body.is_some() || function.linkage != tree::Linkage::External {
                continue;
            }
            if let Some(&model) = defined.get(program.name(function.name))
                && !models.user_of.contains_key(&model)
                && crate::lower::fits_model(program, id, model)
            {
                models.model_of.insert(id, model);
                models.user_of.insert(model, id);
            }
        }
        models
    }

    /// The model that gives an undefined function its body.
    pub(crate) fn model_of(&self, id: FunctionId) -> Option<FunctionId> {
        self.model_of.get(&id).copied()
    }

    /// The function whose body a model is.
    pub(crate) fn user_of(&self, model: FunctionId) -> Option<FunctionId> {
        self.user_of.get(&model).copied()
    }

    /// The name that users know a function by: a model's without the prefix, unless the program has
    /// a function of that name itself or the model is only a part of others.
    pub(crate) fn library_name<'t>(&self, program: &'t tree::Program, id: FunctionId) -> &'t str {
        let function = program.function(id);
        let name = program.name(function.name);
        match name.strip_prefix(PREFIX) {
            Some(plain) if function.linkage == tree::Linkage::External => {
                let is_taken = program
                    .function_named(plain)
                    .is_some_and(|other| program.function(other).body.is_some());
                if is_taken { name } else { plain }
            }
            Some(_) | None => name,
        }
    }
}
