//! A specification that is known to be well formed: names are resolved, everything has a type.

use glassbox_values::Signedness;

use crate::problem::Spot;

/// All types, exceptions and functions.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    pub datas: Vec<Data>,
    pub exceptions: Vec<String>,
    pub functions: Vec<Function>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Bool,
    Int(IntType),
    /// By position in [`Spec::datas`].
    Data(usize),
}

/// A machine integer; arithmetic wraps around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntType {
    pub width: u8,
    pub signedness: Signedness,
}

impl IntType {
    /// By name; C's and Java's types of these widths.
    pub const NAMES: &[(&str, IntType)] = &[
        ("byte", IntType::of(8, Signedness::Signed)),
        ("short", IntType::of(16, Signedness::Signed)),
        ("int", IntType::of(32, Signedness::Signed)),
        ("long", IntType::of(64, Signedness::Signed)),
        ("ubyte", IntType::of(8, Signedness::Unsigned)),
        ("ushort", IntType::of(16, Signedness::Unsigned)),
        ("uint", IntType::of(32, Signedness::Unsigned)),
        ("ulong", IntType::of(64, Signedness::Unsigned)),
    ];

    const fn of(width: u8, signedness: Signedness) -> IntType {
        IntType { width, signedness }
    }

    pub fn name(self) -> &'static str {
        IntType::NAMES.iter().find(|(_, ty)| *ty == self).map_or("int", |(name, _)| name)
    }

    /// The number that is left of this one in so many bits.
    pub fn wrap(self, number: i128) -> i128 {
        let unused = 128 - u32::from(self.width);
        match self.signedness {
            Signedness::Signed => number.wrapping_shl(unused) >> unused,
            Signedness::Unsigned => {
                (number.cast_unsigned().wrapping_shl(unused) >> unused).cast_signed()
            }
        }
    }

    pub fn contains(self, number: i128) -> bool {
        self.wrap(number) == number
    }
}

/// A type with constructors: of `data`, a record (which has one), or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data {
    pub name: String,
    pub kind: DataKind,
    pub constructors: Vec<Constructor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    Sum,
    Record,
    /// `[]` and `[head | tail]`.
    List(Type),
}

/// The constructors of lists, by position.
pub const NIL: usize = 0;
pub const CONS: usize = 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constructor {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: Option<String>,
    pub ty: Type,
}

#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub is_partial: bool,
    pub params: Vec<(String, Type)>,
    pub result: Type,
    pub rules: Vec<Rule>,
    /// Of the name.
    pub spot: Spot,
}

#[derive(Debug, Clone)]
pub struct Rule {
    pub label: String,
    pub premises: Vec<Premise>,
    pub result: Outcome,
    pub spot: Spot,
    /// By slot: parameters first, then what patterns bind, in order.
    pub variables: Vec<(String, Type)>,
}

#[derive(Debug, Clone)]
pub enum Outcome {
    Value(Expr),
    /// By position in [`Spec::exceptions`].
    Raise(usize),
}

/// Holds where the expression has a value that is an instance of the pattern.
#[derive(Debug, Clone)]
pub struct Premise {
    pub expr: Expr,
    pub ty: Type,
    pub pattern: Pattern,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    Bool(bool),
    Int(i128, IntType),
    /// By slot.
    Var(usize),
    Make {
        data: usize,
        constructor: usize,
        args: Vec<Expr>,
    },
    /// Of a record.
    Field {
        base: Box<Expr>,
        data: usize,
        field: usize,
    },
    Call {
        function: usize,
        args: Vec<Expr>,
    },
    Not(Box<Expr>),
    /// The first decides alone if it can: `&&` if it is false, `||` if it is true.
    Both {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Either {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Equal {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        ty: Type,
    },
    Less {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        ty: IntType,
        or_equal: bool,
    },
    /// Division by zero has no value.
    Arithmetic {
        op: Arithmetic,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        ty: IntType,
    },
    Convert {
        arg: Box<Expr>,
        from: IntType,
        to: IntType,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    /// Toward zero.
    Div,
    Rem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    Any,
    /// By slot.
    Bind(usize),
    Bool(bool),
    Int(i128),
    Make {
        data: usize,
        constructor: usize,
        args: Vec<Pattern>,
    },
    /// The expression ends in this exception.
    Raise(usize),
}

impl Spec {
    pub fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int(int) => int.name().to_owned(),
            Type::Data(data) => self.datas[data].name.clone(),
        }
    }

    pub fn function(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }

    /// Types that values of this one may contain, itself only if it is inside of itself.
    pub fn inside(&self, data: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut open = vec![data];
        while let Some(next) = open.pop() {
            let fields = self.datas[next].constructors.iter().flat_map(|known| &known.fields);
            for field in fields {
                if let Type::Data(inner) = field.ty
                    && !found.contains(&inner)
                {
                    found.push(inner);
                    open.push(inner);
                }
            }
        }
        found
    }

    /// Whether a value made by this constructor contains others of its type.
    pub fn is_recursive(&self, data: usize, constructor: usize) -> bool {
        self.datas[data].constructors[constructor].fields.iter().any(|field| {
            matches!(field.ty, Type::Data(inner)
                if inner == data || self.inside(inner).contains(&data))
        })
    }
}

impl Expr {
    /// Visits it and all below it.
    pub fn visit(&self, look: &mut impl FnMut(&Expr)) {
        look(self);
        match self {
            Expr::Bool(_) | Expr::Int(..) | Expr::Var(_) => {}
            Expr::Make { args, .. } | Expr::Call { args, .. } => {
                args.iter().for_each(|arg| arg.visit(look));
            }
            Expr::Field { base: arg, .. } | Expr::Not(arg) | Expr::Convert { arg, .. } => {
                arg.visit(look);
            }
            Expr::Both { lhs, rhs }
            | Expr::Either { lhs, rhs }
            | Expr::Equal { lhs, rhs, .. }
            | Expr::Less { lhs, rhs, .. }
            | Expr::Arithmetic { lhs, rhs, .. } => {
                lhs.visit(look);
                rhs.visit(look);
            }
        }
    }
}
