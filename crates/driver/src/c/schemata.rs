//! All mutants of a unit in one source, of which the environment chooses one when the program runs (Untch, Offutt and
//! Harrold, *Mutation analysis using mutant schemata*, ISSTA 1993): so a test suite is built once.

use std::ops::Range;

use glassbox_c_front::tree::{FunctionId, Program, StmtKind};
use glassbox_mutate::{Text, body_range};

/// The name of the variable that chooses a mutant by its number.
pub(crate) const CHOICE: &str = "GLASSBOX_MUTANT";

/// A source with all its mutants.
#[derive(Debug, Clone)]
pub(crate) struct Schemata {
    /// The file whose place it takes.
    pub(crate) path: String,
    /// Preprocessed.
    text: Vec<u8>,
    places: Vec<Place>,
}

/// The body of a function that has mutants.
#[derive(Debug, Clone)]
struct Place {
    range: Range<usize>,
    /// A line marker for it.
    marker: String,
    /// Behind each mutant, where it comes to its end without a result.
    end: String,
    /// Numbers and bodies.
    bodies: Vec<(usize, Vec<u8>)>,
}

/// A function with its mutants: numbers and bodies.
pub(super) struct Mutated {
    pub(super) function: FunctionId,
    pub(super) bodies: Vec<(usize, Vec<u8>)>,
}

/// Why mutants of a function cannot stand beside each other in one body.
pub(super) fn obstacle(program: &Program, function: FunctionId) -> Option<String> {
    let body = program.function(function).body.as_ref()?;
    let span = program.stmt(body.body).span;
    let has_labels = program.stmts_within(span).any(|stmt| {
        matches!(stmt.kind, StmtKind::Label { .. } | StmtKind::Goto(_) | StmtKind::GotoComputed(_))
    });
    has_labels.then(|| "the function has labels, which cannot stand in one body twice".to_owned())
}

impl Schemata {
    pub(super) fn new(
        path: String,
        program: &Program,
        text: Text<'_>,
        all: Vec<Mutated>,
    ) -> Schemata {
        let mut places = Vec::new();
        for Mutated { function, bodies } in all.into_iter().filter(|it| !it.bodies.is_empty()) {
            let Some(range) = body_range(program, function, text) else { continue };
            let types = &program.types;
            let ty = types.function_type(program.function(function).ty);
            let is_void = ty.is_some_and(|ty| types.is_void(ty.result));
            let name = program.name(program.function(function).name);
            // A body that ends without a result gives none that means something.
            let end = if is_void {
                "return; }\n".to_owned()
            } else {
                let call = format!("{name}{}", call(program, function));
                format!("return *(__typeof__({call}) *)glassbox_nothing; }}\n")
            };
            let marker = glassbox_mutate::marker(text.bytes, range.start);
            places.push(Place { range, marker, end, bodies });
        }
        places.sort_by_key(|place| place.range.start);
        Schemata { path, text: text.bytes.to_vec(), places }
    }

    /// The text, in which every body begins with a choice of those mutants that make a program.
    pub(super) fn text(&self, makes_program: impl Fn(usize) -> bool) -> Vec<u8> {
        let mut out = prelude().into_bytes();
        let mut copied = 0;
        for Place { range, marker, end, bodies } in &self.places {
            without_definitions(&self.text[copied..range.start], &mut out);
            out.extend(b"{\n");
            for (number, body) in bodies.iter().filter(|(number, _)| makes_program(*number)) {
                out.extend(format!("if (glassbox_mutant() == {number}) {{\n").into_bytes());
                without_definitions(body, &mut out);
                out.extend_from_slice(end.as_bytes());
            }
            out.extend_from_slice(marker.as_bytes());
            without_definitions(&self.text[range.clone()], &mut out);
            out.extend(b"\n}\n");
            copied = range.end;
        }
        without_definitions(&self.text[copied..], &mut out);
        out
    }
}

/// Arguments for the type of a call, which is not made.
fn call(program: &Program, function: FunctionId) -> String {
    let names = glassbox_contract::declared::arguments(program, function);
    format!("({})", names.join(", "))
}

fn prelude() -> String {
    format!(
        "# 1 \"<mutants>\"\nextern char *getenv(const char *);\nextern int atoi(const char *);\n\
         static __attribute__((unused, aligned(64))) char glassbox_nothing[4096];\n\
         static __attribute__((unused)) int glassbox_mutant(void) {{\n  static int chosen = -1;\n  \
         if (chosen < 0) {{ const char *text = getenv(\"{CHOICE}\"); chosen = text ? atoi(text) : 0; }}\n  \
         return chosen;\n}}\n"
    )
}

/// Definitions of macros stay in preprocessed text, where nothing needs them.
fn without_definitions(text: &[u8], out: &mut Vec<u8>) {
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_definition = line.starts_with(b"#define ") || line.starts_with(b"#undef ");
        if !is_definition {
            out.extend_from_slice(line);
        } else if line.ends_with(b"\n") {
            out.push(b'\n');
        }
    }
}
