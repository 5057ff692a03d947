//! How methods are declared that stand for contracts and compare calls: with the parameters of the method that they are about,
//! the object first.

use super::subject::Subject;

/// The parameters of a method that is called as another one, with the object first.
pub(super) fn declared(subject: &Subject) -> String {
    let declared = subject.params.iter().map(|(ty, name)| format!("final {ty} {name}"));
    declared.collect::<Vec<String>>().join(", ")
}

/// The descriptor of the method that stands for a contract.
pub(super) fn descriptor(subject: &Subject) -> String {
    let own = &subject.method.descriptor;
    if subject.method.access.is_static() {
        return own.to_string();
    }
    own.replacen('(', &format!("(L{};", subject.class.name), 1)
}

/// The descriptor of a method that compares calls.
pub(super) fn relation_descriptor(subject: &Subject) -> String {
    let whole = descriptor(subject);
    let params = whole.rsplit_once(')').map_or("(", |(params, _)| params);
    format!("{params})V")
}

/// The descriptor of a method that says whether a call is as it should be.
pub(super) fn judge_descriptor(subject: &Subject) -> String {
    let whole = descriptor(subject);
    let params = whole.rsplit_once(')').map_or("(", |(params, _)| params);
    format!("{params})Z")
}
