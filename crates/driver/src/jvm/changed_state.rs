//! What calls of a Java method may change, and how code of engines and of tests reaches it.

use std::rc::Rc;

use glassbox_jvm_front::classfile::{Access, ClassFile, FieldInfo};

use super::comparable::{element, field_type, is_comparable, is_constant};
use super::subject::Subject;

/// Something that calls may change: an array that is put back element by element, or a variable.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// How Java code reaches it.
    pub(super) reached: String,
    /// Object, class and field, where tests cannot say that.
    hidden: Option<[String; 3]>,
    pub(super) ty: String,
    /// The variable itself may hold something else afterwards.
    pub(super) is_variable: bool,
}

/// For whom code is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// All members are public to the compiler, and inputs are assumed to be as they should be.
    Engine,
    Test,
}

/// What a call of the method may change; why it cannot be put back.
pub(super) fn state(subject: &Subject, classes: &[Rc<ClassFile>]) -> Result<Vec<State>, String> {
    let is_static = subject.method.access.is_static();
    let mut state = Vec::new();
    for (ty, name) in subject.params.iter().skip(usize::from(!is_static)) {
        if element(ty).is_some() {
            let (reached, ty) = (name.clone(), ty.clone());
            state.push(State { reached, hidden: None, ty, is_variable: false });
        } else if !is_comparable(ty) {
            return Err(format!("`{name}` is an object, a `{ty}`"));
        }
    }
    let mut field = |object: &str, class: &ClassFile, field: &FieldInfo| -> Result<(), String> {
        let ty = field_type(&field.descriptor);
        let is_final = field.access.is_final();
        if element(&ty).is_some() || (is_comparable(&ty) && !is_final) {
            let (owner, name) = (class.name.replace('/', "."), field.name.to_string());
            let reached = match object {
                "null" => format!("{}.{name}", owner.replace('$', ".")),
                object => format!("{object}.{name}"),
            };
            let hidden = field.access.is_private() || is_private(class);
            let hidden = hidden.then(|| [object.to_owned(), owner, name]);
            state.push(State { reached, hidden, ty, is_variable: !is_final });
        } else if !(is_comparable(&ty) || (is_final && is_constant(&ty))) {
            return Err(format!("the field `{}` is an object, a `{ty}`", field.name));
        }
        Ok(())
    };
    if !is_static {
        let parent = subject.class.superclass.as_deref();
        if parent != Some("java/lang/Object") {
            return Err("its class extends another, whose fields are not compared".to_owned());
        }
        let own = subject.class.fields.iter().filter(|it| !it.access.is_static());
        for one in own {
            field("self", &subject.class, one)?;
        }
    }
    for class in classes {
        for one in class.fields.iter().filter(|it| may_change(it)) {
            field("null", class, one)?;
        }
    }
    Ok(state)
}

/// Whether a field is static and no constant. What the compiler makes for assertions does not change.
pub(super) fn may_change(field: &FieldInfo) -> bool {
    field.access.is_static() && field.constant.is_none() && !field.access.has(Access::SYNTHETIC)
}

/// Whether objects of classes below one, or of those that implement it, have fields that it does not have.
pub(super) fn has_fields_below(classes: &[Rc<ClassFile>], name: &str) -> bool {
    let find = |name: &str| classes.iter().find(|class| *class.name == *name);
    // All classes and interfaces that one is of, itself included; `false` where one of them is not the program's own.
    let above = |class: &Rc<ClassFile>| {
        let mut found = vec![Rc::clone(class)];
        let mut is_whole = true;
        let mut next = 0;
        while let Some(one) = found.get(next).cloned() {
            next += 1;
            for parent in one.superclass.iter().chain(&one.interfaces) {
                match find(parent) {
                    Some(parent) if !found.iter().any(|known| known.name == parent.name) => {
                        found.push(Rc::clone(parent));
                    }
                    Some(_) => {}
                    // Interfaces have no fields of objects.
                    None => {
                        is_whole &=
                            &**parent == "java/lang/Object" || one.interfaces.contains(parent)
                    }
                }
            }
        }
        (found, is_whole)
    };
    let has_fields = |class: &Rc<ClassFile>| {
        *class.name != *name && class.fields.iter().any(|field| !field.access.is_static())
    };
    classes.iter().filter(|class| *class.name != *name).any(|class| {
        let (above, is_whole) = above(class);
        above.iter().any(|one| *one.name == *name) && (!is_whole || above.iter().any(has_fields))
    })
}

/// Whether only the class around it can name a class.
pub(super) fn is_private(class: &ClassFile) -> bool {
    class.nested_access.is_some_and(|access| access.is_private())
}

impl State {
    pub(super) fn read(&self, reader: Reader) -> String {
        match &self.hidden {
            Some([object, class, name]) if reader == Reader::Test => {
                format!("(({}) get({object}, \"{class}\", \"{name}\"))", self.ty)
            }
            _ => self.reached.clone(),
        }
    }

    pub(super) fn write(&self, reader: Reader, value: &str) -> String {
        match &self.hidden {
            Some([object, class, name]) if reader == Reader::Test => {
                format!("set({object}, \"{class}\", \"{name}\", {value}); ")
            }
            _ => format!("{} = {value}; ", self.reached),
        }
    }
}
