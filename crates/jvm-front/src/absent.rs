//! Methods that no test can call because classes that their signature names are not there.

use crate::descriptor::{Signature, Type};
use crate::world::{MethodRef, World};

/// The first class in the signature of a method that is not on the class path, with dots.
pub(crate) fn absent(world: &mut World, method: MethodRef) -> Option<String> {
    let descriptor = world.method(method).descriptor.clone();
    let signature = Signature::parse(&descriptor)?;
    let types = signature.params.iter().chain(&signature.result);
    let named: Vec<String> = types.filter_map(class_of).collect();
    let gone = named.into_iter().find(|name| world.load(name).is_err())?;
    Some(gone.replace('/', "."))
}

/// The class that a type is of, or that its elements are of.
fn class_of(ty: &Type) -> Option<String> {
    let Type::Ref(name) = ty else { return None };
    let element = name.trim_start_matches('[');
    if element.len() == name.len() {
        return Some(name.to_string());
    }
    element.strip_prefix('L').and_then(|name| name.strip_suffix(';')).map(str::to_owned)
}
