//! How source code can make objects of a class and look into them: which constructors and methods do
//! nothing but move values between parameters and fields.

use glassbox_values::Bits;

use crate::id::FuncId;

/// Who may name a class or a member. Tests are in the package of what they test, so that only `Private`
/// is out of their reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    Public,
    /// Inside the package; also `protected`.
    Package,
    Private,
}

/// What is known about making objects of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassRecipe {
    /// Binary name with dots.
    pub name: String,
    /// As source code names it.
    pub source_name: String,
    /// The narrowest of the class and the classes around it.
    pub visibility: Visibility,
    /// Constructors that only store their parameters and constants.
    pub constructors: Vec<Constructor>,
    /// Declared here.
    pub fields: Vec<FieldRecipe>,
    /// Methods `void m(x)` that store their parameter in a field: method, field.
    pub setters: Vec<(String, String)>,
    /// Methods `m()` that return a field: method, field.
    pub getters: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRecipe {
    pub name: String,
    pub visibility: Visibility,
    pub is_final: bool,
}

/// A constructor, with what it leaves in fields; the others stay zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constructor {
    pub visibility: Visibility,
    /// By parameter: the field it goes to.
    pub params: Vec<String>,
    /// Constants stored in fields; `None` is null.
    pub constants: Vec<(String, Option<Bits>)>,
}

/// A method under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodRecipe {
    pub function: FuncId,
    pub visibility: Visibility,
}

/// Everything for the tests of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recipes {
    pub classes: Vec<ClassRecipe>,
    pub methods: Vec<MethodRecipe>,
}

impl Recipes {
    pub fn class(&self, name: &str) -> Option<&ClassRecipe> {
        self.classes.iter().find(|class| class.name == name)
    }

    pub fn method(&self, function: FuncId) -> Visibility {
        let found = self.methods.iter().find(|method| method.function == function);
        found.map_or(Visibility::Package, |method| method.visibility)
    }
}
