//! What a random function is given, and the values of it that the compiled program tries.

/// Types that random functions have pointers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointee {
    Record,
    Outer,
    Integers,
    Union,
    Nodes,
    Bytes,
}

/// One input, or two pointers that may be the same.
#[derive(Debug, Clone)]
pub(super) enum Input {
    Scalar { name: String, kind: &'static str },
    Record { name: String },
    Global { name: String, kind: &'static str },
    Pointers { first: &'static str, second: &'static str, pointee: Pointee },
}

impl Input {
    pub(super) fn scalar(name: &str, kind: &'static str) -> Input {
        Input::Scalar { name: name.to_owned(), kind }
    }

    pub(super) fn record(name: &str) -> Input {
        Input::Record { name: name.to_owned() }
    }

    pub(super) fn global(name: &str, kind: &'static str) -> Input {
        Input::Global { name: name.to_owned(), kind }
    }

    pub(super) fn pointers(first: &'static str, second: &'static str, pointee: Pointee) -> Input {
        Input::Pointers { first, second, pointee }
    }

    pub(super) fn is_float(&self) -> bool {
        matches!(self, Input::Scalar { kind: "float" | "double", .. })
    }

    /// As parameters.
    pub(super) fn declaration(&self) -> Option<String> {
        match self {
            Input::Scalar { name, kind } => Some(format!("{kind} {name}")),
            Input::Record { name } => Some(format!("struct in {name}")),
            Input::Global { .. } => None,
            Input::Pointers { first, second, pointee } => {
                let kind = pointee.kind();
                Some(format!("{kind} *{first}, {kind} *{second}"))
            }
        }
    }

    pub(super) fn pointer_names(&self) -> Vec<&'static str> {
        let Input::Pointers { first, second, .. } = self else { return Vec::new() };
        vec![first, second]
    }

    /// Integers behind the pointers, with the masks of their indices.
    pub(super) fn cells(&self) -> Vec<(String, u32)> {
        let Input::Pointers { first, second, pointee } = self else { return Vec::new() };
        let parts: &[(&str, u32)] = match pointee {
            Pointee::Record => &[("->a", 0), ("->b", 0)],
            Pointee::Outer => {
                &[("->i.a", 0), ("->s", 0), ("->r[@].b", 1), ("->u.b[@]", 3), ("->f.y", 0)]
            }
            Pointee::Integers | Pointee::Bytes => &[("[@]", 1), ("[0]", 0)],
            Pointee::Union => &[("->w", 0), ("->b[@]", 3), ("->h[@]", 1), ("->c", 0)],
            Pointee::Nodes => &[("->v", 0), ("->i.b", 0)],
        };
        let of = |name: &str| -> Vec<(String, u32)> {
            parts.iter().map(|(part, mask)| (format!("{name}{part}"), *mask)).collect()
        };
        [of(first), of(second)].concat()
    }

    /// Whether the values tried are all there are.
    pub(super) fn is_complete(&self) -> bool {
        matches!(
            self,
            Input::Scalar { kind: "unsigned char" | "signed char" | "char" | "_Bool", .. }
        )
    }

    /// How many values are tried, fewer where there are many inputs.
    pub(super) fn n_values(&self, is_narrow: bool) -> usize {
        match self {
            Input::Scalar { kind: "_Bool", .. } => 2,
            Input::Scalar { kind: "unsigned char" | "signed char" | "char", .. } => {
                if is_narrow {
                    24
                } else {
                    256
                }
            }
            Input::Scalar { .. } => 16,
            Input::Record { .. } => 12,
            Input::Global { .. } => 6,
            Input::Pointers { .. } => 12,
        }
    }

    /// C that sets the input from the number `i` of the value, and what is handed over as arguments.
    pub(super) fn set(&self, i: &str, is_narrow: bool) -> (String, Option<String>) {
        match self {
            Input::Scalar { name, kind } => {
                let value = match *kind {
                    "_Bool" => format!("{i} & 1"),
                    "unsigned char" | "signed char" | "char" if !is_narrow => i.to_owned(),
                    "float" | "double" => format!("floats[{i}]"),
                    "enum color" => i.to_string(),
                    "unsigned char" | "signed char" | "char" => format!("numbers24[{i}]"),
                    _ => format!("({kind})numbers[{i}]"),
                };
                (format!("{kind} {name} = {value};"), Some(name.clone()))
            }
            Input::Record { name } => (
                format!("struct in {name} = {{numbers24[{i}], numbers24[(7 * {i} + 3) % 24]}};"),
                Some(name.clone()),
            ),
            Input::Global { name, kind } => (format!("{name} = ({kind})globals[{i}];"), None),
            Input::Pointers { first, second, pointee } => {
                let kind = pointee.kind();
                (
                    format!(
                        "static {kind} {first}_to[4]; fill({first}_to, sizeof {first}_to, {i}); {} \
                         {kind} *{first} = {first}_to + {i} % 2, *{second} = {first}_to + {i} / 4 % 3;",
                        if *pointee == Pointee::Nodes {
                            format!(
                                "for (int n = 0; n < 4; n++) {first}_to[n].next = {i} & 1 << n ? {first}_to + (n + {i}) % 4 : 0;"
                            )
                        } else {
                            String::new()
                        }
                    ),
                    Some(format!("{first}, {second}")),
                )
            }
        }
    }
}

impl Pointee {
    fn kind(self) -> &'static str {
        match self {
            Pointee::Record => "struct in",
            Pointee::Outer => "struct out",
            Pointee::Integers => "int",
            Pointee::Union => "union un",
            Pointee::Nodes => "struct node",
            Pointee::Bytes => "unsigned char",
        }
    }
}
