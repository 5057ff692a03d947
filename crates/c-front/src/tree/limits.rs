//! What a program contains that is not understood, and which variables, functions and types it concerns.
//!
//! The default is distrust: an attribute or a symbol name that is not listed as harmless makes every use of
//! what it stands at unsupported, so that no proof rests on a guess.

use rustc_hash::{FxHashMap, FxHashSet};

use super::declaration::{FunctionId, Linkage, VariableId};
use super::{Program, Unsupported};
use crate::names::Name;
use crate::ty::kind::{ArrayLength, TypeKind};
use crate::ty::record::RecordId;

/// By what it concerns.
#[derive(Debug, Default, Clone)]
pub struct Limits {
    /// By their declarations.
    pub(crate) unmodeled: Unmodeled,
    /// Attributes: the layout, and so every member and every value, is unsupported.
    pub(crate) records: FxHashMap<RecordId, Name>,
    /// Whole bodies, for what stands at no name.
    pub(crate) bodies: FxHashMap<FunctionId, Unsupported>,
    /// All bodies, for what stands at no name and in no body.
    pub(crate) everywhere: Option<Unsupported>,
    /// `asm` labels and aliases: the symbol that the variable is a name of.
    pub(crate) variable_symbols: FxHashMap<VariableId, Name>,
    /// The same of functions.
    pub(crate) function_symbols: FxHashMap<FunctionId, Name>,
    /// The program accesses memory by types that it does not have (`may_alias`), and its compiler knows.
    pub may_alias: bool,
    /// Words in assembly outside of functions: any of them may be a symbol that it uses.
    pub(crate) assembly_words: FxHashSet<Name>,
}

/// Variables and functions of which every use (a call, taking the address) is unsupported, and why.
#[derive(Debug, Default, Clone)]
pub(crate) struct Unmodeled {
    pub(crate) variables: FxHashMap<VariableId, Unsupported>,
    pub(crate) functions: FxHashMap<FunctionId, Unsupported>,
}

impl Limits {
    /// Why nothing that the body does is sure.
    pub(crate) fn of_body(&self, function: FunctionId) -> Option<&Unsupported> {
        self.bodies.get(&function).or(self.everywhere.as_ref())
    }
}

impl Program {
    /// What the limits of the whole program mean for its variables and functions.
    pub(crate) fn unmodeled(&self) -> Unmodeled {
        let mut out = self.limits.unmodeled.clone();
        self.add_shared_symbols(&mut out);
        self.add_unknown_lengths(&mut out);
        self.add_library_variables(&mut out);
        out
    }

    /// Variables of the library (`environ`) that functions of it change without being given them.
    fn add_library_variables(&self, out: &mut Unmodeled) {
        let used = self.referenced_functions().into_iter().map(|id| self.function(id));
        let of_library = used
            .filter(|function| function.body.is_none() && function.linkage == Linkage::External);
        let changed: FxHashSet<&str> = of_library
            .filter_map(|function| glassbox_library::find(self.name(function.name)))
            .flat_map(|known| known.row.changes.iter().copied())
            .collect();
        for id in self.variable_ids() {
            let variable = self.variable(id);
            let name = self.name(variable.name);
            let is_outside = variable.linkage == Linkage::External && !variable.is_defined;
            if is_outside && changed.contains(name) {
                out.variables.entry(id).or_insert(Unsupported::LibraryVariable(name.into()));
            }
        }
    }

    /// `extern int table[];`: how much of it there is only its definition says, which is elsewhere.
    fn add_unknown_lengths(&self, out: &mut Unmodeled) {
        for id in self.variable_ids() {
            let variable = self.variable(id);
            let is_open = matches!(
                self.types.kind(variable.ty),
                TypeKind::Array { length: ArrayLength::Unknown, .. }
            );
            if is_open && variable.linkage == Linkage::External && !variable.is_defined {
                let what = Unsupported::Construct("an array whose length is declared elsewhere");
                out.variables.entry(id).or_insert(what);
            }
        }
    }

    /// Two names of one symbol are one object, and assembly may do anything to a symbol that it names. Two
    /// undefined functions are left alone: headers rename many functions of the library.
    fn add_shared_symbols(&self, out: &mut Unmodeled) {
        let limits = &self.limits;
        let mut names = limits.assembly_words.clone();
        let (mut has_variable, mut has_body) = (names.clone(), FxHashSet::default());
        names.extend(limits.variable_symbols.values().chain(limits.function_symbols.values()));
        if names.is_empty() {
            return;
        }
        let variable_symbol = |id: VariableId| {
            let variable = self.variable(id);
            let own = (variable.linkage != Linkage::None).then_some(variable.name);
            limits.variable_symbols.get(&id).copied().or(own).filter(|name| names.contains(name))
        };
        let function_symbol = |id: FunctionId| {
            let own = self.function(id).name;
            let symbol = limits.function_symbols.get(&id).copied().unwrap_or(own);
            Some(symbol).filter(|name| names.contains(name))
        };
        let mut users: FxHashMap<Name, usize> =
            limits.assembly_words.iter().map(|&word| (word, 1)).collect();
        for symbol in self.variable_ids().filter_map(variable_symbol) {
            *users.entry(symbol).or_default() += 1;
            has_variable.insert(symbol);
        }
        for id in self.function_ids() {
            let Some(symbol) = function_symbol(id) else { continue };
            *users.entry(symbol).or_default() += 1;
            if self.function(id).body.is_some() {
                has_body.insert(symbol);
            }
        }
        let shared = |symbol: Name| Unsupported::SharedSymbol(self.name(symbol).into());
        let is_shared = |symbol: &Name| users.get(symbol).is_some_and(|&count| count > 1);
        for id in self.variable_ids() {
            if let Some(symbol) = variable_symbol(id).filter(is_shared) {
                out.variables.insert(id, shared(symbol));
            }
        }
        for id in self.function_ids() {
            let Some(symbol) = function_symbol(id).filter(is_shared) else { continue };
            // The body under its own name is what runs under that name.
            let is_itself =
                self.function(id).body.is_some() && !limits.function_symbols.contains_key(&id);
            let matters = has_variable.contains(&symbol) || has_body.contains(&symbol);
            if matters && !is_itself {
                out.functions.insert(id, shared(symbol));
            }
        }
    }
}
