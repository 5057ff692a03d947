//! A specification as it is written.

use crate::problem::Spot;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub spot: Spot,
}

#[derive(Debug, Clone)]
pub enum TypeTree {
    Named(Name),
    List(Box<TypeTree>, Spot),
}

impl TypeTree {
    pub fn spot(&self) -> Spot {
        match self {
            TypeTree::Named(name) => name.spot,
            TypeTree::List(_, spot) => *spot,
        }
    }
}

/// A part of a constructor; those of records have names.
#[derive(Debug, Clone)]
pub struct FieldTree {
    pub name: Option<Name>,
    pub ty: TypeTree,
}

#[derive(Debug, Clone)]
pub struct ConstructorTree {
    pub name: Name,
    pub fields: Vec<FieldTree>,
}

#[derive(Debug, Clone)]
pub enum Item {
    Data { name: Name, constructors: Vec<ConstructorTree> },
    Record { name: Name, fields: Vec<FieldTree> },
    Exceptions(Vec<Name>),
    Function(FunctionTree),
}

#[derive(Debug, Clone)]
pub struct FunctionTree {
    pub name: Name,
    /// There may be arguments for which no rule applies.
    pub is_partial: bool,
    pub params: Vec<(Name, TypeTree)>,
    pub result: TypeTree,
    pub rules: Vec<RuleTree>,
}

#[derive(Debug, Clone)]
pub struct RuleTree {
    pub label: Option<Name>,
    pub premises: Vec<PremiseTree>,
    pub result: ResultTree,
    pub spot: Spot,
}

#[derive(Debug, Clone)]
pub enum ResultTree {
    Value(ExprTree),
    Raise(Name),
}

/// `e -> p`, or `e`, which should be true.
#[derive(Debug, Clone)]
pub struct PremiseTree {
    pub expr: ExprTree,
    pub pattern: Option<PatternTree>,
}

#[derive(Debug, Clone)]
pub struct ExprTree {
    pub kind: ExprKind,
    pub spot: Spot,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    Number(i128),
    Bool(bool),
    Name(String),
    /// A function, a constructor or a conversion.
    Apply {
        name: Name,
        args: Vec<ExprTree>,
    },
    Record {
        name: Name,
        fields: Vec<(Name, ExprTree)>,
    },
    /// A record with other values in some fields.
    With {
        base: Box<ExprTree>,
        fields: Vec<(Name, ExprTree)>,
    },
    Field {
        base: Box<ExprTree>,
        name: Name,
    },
    List {
        items: Vec<ExprTree>,
        rest: Option<Box<ExprTree>>,
    },
    Not(Box<ExprTree>),
    Negative(Box<ExprTree>),
    Binary {
        op: BinaryTree,
        lhs: Box<ExprTree>,
        rhs: Box<ExprTree>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryTree {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

impl BinaryTree {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryTree::Or => "||",
            BinaryTree::And => "&&",
            BinaryTree::Equal => "==",
            BinaryTree::Unequal => "!=",
            BinaryTree::Less => "<",
            BinaryTree::LessEqual => "<=",
            BinaryTree::Greater => ">",
            BinaryTree::GreaterEqual => ">=",
            BinaryTree::Add => "+",
            BinaryTree::Sub => "-",
            BinaryTree::Mul => "*",
            BinaryTree::Div => "/",
            BinaryTree::Rem => "%",
        }
    }
}

#[derive(Debug, Clone)]
pub struct PatternTree {
    pub kind: PatternKind,
    pub spot: Spot,
}

#[derive(Debug, Clone)]
pub enum PatternKind {
    Any,
    Name(String),
    Number(i128),
    Bool(bool),
    Apply { name: Name, args: Vec<PatternTree> },
    Record { name: Name, fields: Vec<(Name, PatternTree)> },
    List { items: Vec<PatternTree>, rest: Option<Box<PatternTree>> },
    Raise(Name),
}
