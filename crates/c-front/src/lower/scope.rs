//! Scopes: which locals live in which block of the source, and what a jump between blocks starts and
//! ends.
//!
//! A local lives from the entry of its block to its exit, however control enters or leaves. So a jump
//! ends the locals of the scopes it leaves and starts those of the scopes it enters.

use glassbox_ir::MemoryOp;
use rustc_hash::FxHashMap;

use super::body::{BodyLowering, Slot};
use crate::tree::{self, LabelId, StmtId, StmtKind, VariableId};

/// A scope of the function being lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    /// Around everything; it has no variables that a jump could start or end.
    pub(super) const FUNCTION: ScopeId = ScopeId(0);
}

#[derive(Debug)]
struct Scope {
    parent: ScopeId,
    depth: u32,
    variables: Vec<VariableId>,
    /// A label or case sits somewhere inside, so a declaration may run twice or not at all.
    has_labels: bool,
}

/// The scopes of a function, known before its statements are lowered.
#[derive(Debug)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    of_stmt: FxHashMap<StmtId, ScopeId>,
    of_label: FxHashMap<LabelId, ScopeId>,
    of_case: FxHashMap<StmtId, ScopeId>,
}

impl Default for Scopes {
    fn default() -> Scopes {
        let function =
            Scope { parent: ScopeId::FUNCTION, depth: 0, variables: Vec::new(), has_labels: false };
        Scopes {
            scopes: vec![function],
            of_stmt: FxHashMap::default(),
            of_label: FxHashMap::default(),
            of_case: FxHashMap::default(),
        }
    }
}

impl Scopes {
    /// Notes the scopes and labels of statements that stand in `scope`.
    pub(super) fn scan(&mut self, tree: &tree::Program, scope: ScopeId, stmts: &[StmtId]) {
        // An explicit stack; children are pushed in reverse so that scopes are numbered in order.
        let mut stack: Vec<(StmtId, ScopeId)> =
            stmts.iter().rev().map(|&stmt| (stmt, scope)).collect();
        while let Some((id, scope)) = stack.pop() {
            match &tree.stmt(id).kind {
                StmtKind::Block(stmts) => {
                    let inner = self.open(id, scope);
                    stack.extend(stmts.iter().rev().map(|&stmt| (stmt, inner)));
                }
                StmtKind::For { init, body, .. } => {
                    let inner = self.open(id, scope);
                    stack.push((*body, inner));
                    stack.extend(init.iter().rev().map(|&stmt| (stmt, inner)));
                }
                StmtKind::Declare { variable, .. } | StmtKind::SetVlaLength { variable, .. } => {
                    let variables = &mut self.scopes[scope.0 as usize].variables;
                    if !variables.contains(variable) {
                        variables.push(*variable);
                    }
                }
                StmtKind::If { then, otherwise, .. } => {
                    stack.extend(otherwise.iter().map(|&stmt| (stmt, scope)));
                    stack.push((*then, scope));
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::Switch { body, .. } => stack.push((*body, scope)),
                StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                    self.of_case.insert(id, scope);
                    self.note_label(scope);
                    stack.push((*body, scope));
                }
                StmtKind::Label { label, body } => {
                    self.of_label.insert(*label, scope);
                    self.note_label(scope);
                    stack.push((*body, scope));
                }
                StmtKind::Empty
                | StmtKind::Expr(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::GotoComputed(_)
                | StmtKind::Return(_)
                | StmtKind::Unsupported(_)
                | StmtKind::UnsupportedJump { .. } => {}
            }
        }
    }

    fn note_label(&mut self, mut scope: ScopeId) {
        while !self.scopes[scope.0 as usize].has_labels {
            self.scopes[scope.0 as usize].has_labels = true;
            scope = self.scopes[scope.0 as usize].parent;
        }
    }

    fn open(&mut self, stmt: StmtId, parent: ScopeId) -> ScopeId {
        let id = self.open_unnamed(parent);
        self.of_stmt.insert(stmt, id);
        id
    }

    /// A scope that no statement stands for: a statement expression's.
    pub(super) fn open_unnamed(&mut self, parent: ScopeId) -> ScopeId {
        let id = ScopeId(u32::try_from(self.scopes.len()).expect("scopes should fit 32 bits"));
        let depth = self.scopes[parent.0 as usize].depth + 1;
        self.scopes.push(Scope { parent, depth, variables: Vec::new(), has_labels: false });
        id
    }

    pub(super) fn of_stmt(&self, stmt: StmtId) -> Option<ScopeId> {
        self.of_stmt.get(&stmt).copied()
    }

    pub(super) fn of_label(&self, label: LabelId) -> Option<ScopeId> {
        self.of_label.get(&label).copied()
    }

    pub(super) fn of_case(&self, stmt: StmtId) -> Option<ScopeId> {
        self.of_case.get(&stmt).copied()
    }

    pub(super) fn has_labels(&self, scope: ScopeId) -> bool {
        self.scopes[scope.0 as usize].has_labels
    }

    fn parent(&self, scope: ScopeId) -> ScopeId {
        self.scopes[scope.0 as usize].parent
    }

    fn depth(&self, scope: ScopeId) -> u32 {
        self.scopes[scope.0 as usize].depth
    }

    /// `outer` is `inner` or around it.
    pub(super) fn contains(&self, outer: ScopeId, mut inner: ScopeId) -> bool {
        while self.depth(inner) > self.depth(outer) {
            inner = self.parent(inner);
        }
        inner == outer
    }

    fn common(&self, mut a: ScopeId, mut b: ScopeId) -> ScopeId {
        while a != b {
            if self.depth(a) >= self.depth(b) {
                a = self.parent(a);
            } else {
                b = self.parent(b);
            }
        }
        a
    }
}

impl BodyLowering<'_, '_> {
    /// Goes into a scope: its locals come to life.
    pub(super) fn enter_scope(&mut self, scope: ScopeId) {
        self.scope = scope;
        self.start_locals(scope);
    }

    fn start_locals(&mut self, scope: ScopeId) {
        // The list is taken and put back: starting a local needs all of `self`.
        let variables = std::mem::take(&mut self.scopes.scopes[scope.0 as usize].variables);
        for &id in &variables {
            if self.tree.types.is_variable_length(self.tree.variable(id).ty) {
                self.declare_var(id, None);
                continue;
            }
            let local = match self.slots.get(&id) {
                Some(Slot::Local(local)) => *local,
                Some(Slot::Address(_) | Slot::Indirect(_)) => continue,
                None => self.declare_local(id),
            };
            self.b.push(MemoryOp::LocalStart(local));
        }
        self.scopes.scopes[scope.0 as usize].variables = variables;
    }

    fn end_locals(&mut self, scope: ScopeId) {
        let variables = std::mem::take(&mut self.scopes.scopes[scope.0 as usize].variables);
        for id in variables.iter().rev() {
            if let Some(&Slot::Local(local)) = self.slots.get(id) {
                self.b.push(MemoryOp::LocalEnd(local));
            }
        }
        self.scopes.scopes[scope.0 as usize].variables = variables;
    }

    /// Leaves the current scope at its end.
    pub(super) fn leave_scope(&mut self) {
        let scope = self.scope;
        self.free_vlas_within(scope);
        self.end_locals(scope);
        self.vlas.retain(|vla| vla.scope != scope);
        self.scope = self.scopes.parent(scope);
    }

    /// What a jump from here to a place in `target` does to locals. The current scope stays: code after
    /// the jump is still where it was.
    pub(super) fn cross_scopes(&mut self, target: ScopeId) {
        let common = self.scopes.common(self.scope, target);
        let mut leaving = self.scope;
        while leaving != common {
            self.end_locals(leaving);
            leaving = self.scopes.parent(leaving);
        }
        self.start_scopes_between(common, target);
    }

    /// Starts the locals of the scopes from below `outer` down to `inner`.
    pub(super) fn start_scopes_between(&mut self, outer: ScopeId, inner: ScopeId) {
        let mut entering = Vec::new();
        let mut at = inner;
        while at != outer {
            entering.push(at);
            at = self.scopes.parent(at);
        }
        for scope in entering.into_iter().rev() {
            self.start_locals(scope);
        }
    }

    /// True if a jump into `inner` from `outer` has locals to start.
    pub(super) fn starts_something(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let mut at = inner;
        while at != outer {
            if !self.scopes.scopes[at.0 as usize].variables.is_empty() {
                return true;
            }
            at = self.scopes.parent(at);
        }
        false
    }

    /// An object of the current block that came to be after the block began: a compound literal.
    pub(super) fn adopt_variable(&mut self, id: VariableId) {
        let variables = &mut self.scopes.scopes[self.scope.0 as usize].variables;
        if !variables.contains(&id) {
            variables.push(id);
        }
    }
}
