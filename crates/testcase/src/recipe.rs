//! How source code can make objects of a class and look into them: which constructors and methods do
//! nothing but move values between parameters and fields.

use glassbox_ir::{FuncId, GlobalId};
use glassbox_values::Bits;

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

/// How a harness makes one value from its own parameters, as source code would: by constructors, methods
/// and constants. Numbers are positions of the harness's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Making {
    Param(usize),
    Null,
    /// What was made at this position: the receiver, or an argument before.
    Earlier(usize),
    /// A constant of an enum: the one at the selector's position, the first beyond them.
    Constant {
        class: Named,
        selector: usize,
        names: Vec<String>,
    },
    /// The option at the selector's position, the first beyond them.
    Choice {
        selector: usize,
        options: Vec<Making>,
    },
    New(Box<NewObject>),
    /// As many elements as the count says, none beyond them.
    Array {
        /// Of the elements.
        class: Named,
        count: usize,
        elements: Vec<Making>,
    },
    /// A collection, filled while the count says so.
    Collection {
        /// Types of the variable and of the object, as source code names them.
        declared: String,
        class: String,
        type_args: Vec<String>,
        count: usize,
        /// `add` or `put`.
        method: String,
        items: Vec<Vec<Making>>,
    },
    Usual(Usual),
}

/// What people write where nothing else leads to an object: `new BufferedImage(1, 1, 1).createGraphics()`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usual {
    pub class: Named,
    /// Arguments of the constructor, which are all one.
    pub n_ones: usize,
    /// Name and descriptor of a call on it without arguments.
    pub call: Option<(String, String)>,
}

/// A class by its two names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As source code names it.
    pub source: String,
    /// As class files do: `java/util/Map$Entry`.
    pub internal: String,
}

/// An object by a constructor or a static method, and calls on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewObject {
    pub class: Named,
    /// Of the constructor or static method.
    pub descriptor: String,
    /// The static method, where it is no constructor.
    pub factory: Option<String>,
    /// The first argument is the object around it: `outer.new Inner()`.
    pub has_outer: bool,
    pub args: Vec<Making>,
    pub steps: Vec<Step>,
}

/// One of several calls: none for 0 and beyond them, the first for 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub selector: usize,
    pub calls: Vec<StepCall>,
}

/// A call of a method on the object that is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepCall {
    pub method: String,
    pub descriptor: String,
    pub args: Vec<Making>,
}

/// A function that makes the arguments of a method and calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harness {
    pub target: FuncId,
    pub function: FuncId,
    /// The same without the call.
    pub setup: FuncId,
    pub receiver: Option<Making>,
    pub args: Vec<Making>,
    /// Set to 1 just before the call.
    pub stage: GlobalId,
    /// Where the receiver and the arguments are kept that the harness made: position (0 for the receiver
    /// of a method that has one) and place.
    pub made: Vec<(usize, GlobalId)>,
}

/// A class of ours that stands in for whatever else may implement an interface or extend an abstract class: its fields
/// say what its methods give. Source code writes a lambda or a nameless class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandIn {
    /// Binary name with dots.
    pub name: String,
    /// The interface or the abstract class, as source code names it.
    pub above: String,
    /// The abstract class by its binary name with dots; `None` for an interface.
    pub class: Option<String>,
    pub methods: Vec<StandInMethod>,
}

/// A method of a stand-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandInMethod {
    pub name: String,
    /// Types of the parameters and of the result, as source code names them.
    pub params: Vec<String>,
    pub result: Option<String>,
    pub body: StandInBody,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StandInBody {
    /// It throws `UnsupportedOperationException`: no code of the user calls it.
    IsNotCalled,
    Gives(StandInResult),
}

/// What a method gives. Where the field `mode` holds -1, it throws the first exception, and so on. Else it gives the
/// first result where it holds 0; all of them one after the other, and the third from then on, where it holds 1; the second
/// one, and the third from then on, where it holds 2; and the third where it holds anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandInResult {
    /// Names of fields.
    pub mode: String,
    pub results: Option<[String; 3]>,
    /// Exceptions, as source code names them.
    pub throws: Vec<String>,
}

/// Everything for the tests of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recipes {
    pub classes: Vec<ClassRecipe>,
    pub methods: Vec<MethodRecipe>,
    pub harnesses: Vec<Harness>,
    pub stand_ins: Vec<StandIn>,
}

impl Recipes {
    pub fn class(&self, name: &str) -> Option<&ClassRecipe> {
        self.classes.iter().find(|class| class.name == name)
    }

    pub fn stand_in(&self, name: &str) -> Option<&StandIn> {
        self.stand_ins.iter().find(|class| class.name == name)
    }

    pub fn method(&self, function: FuncId) -> Visibility {
        let found = self.methods.iter().find(|method| method.function == function);
        found.map_or(Visibility::Package, |method| method.visibility)
    }
}
