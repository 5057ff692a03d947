//! Whether two runs did the same, as far as suites say what they did.
//!
//! Memory that runs make lies elsewhere in every version and is found in another order where members are declared in another, so
//! pieces are the same where all that leads to them, and what is in them, is.

use std::collections::BTreeMap;

use crate::data::test::{Expected, Made};
use crate::data::{Value, literal};

/// Whether what one run left is what the other left.
pub(crate) fn is_same(one: &Expected, other: &Expected) -> bool {
    let Expected { ending, result, changed_objects, changed_globals, made, stdout } = one;
    let mut pieces = Pieces::new(made, &other.made);
    let own = changed_objects.iter().map(|it| (it.name.as_str(), &it.elements[..]));
    let others = other.changed_objects.iter().map(|it| (it.name.as_str(), &it.elements[..]));
    let is_list = |pieces: &mut Pieces<'_>, one, other| pieces.are_same(one, other);
    let same_objects = pieces.are_same_by_name(own.collect(), others.collect(), is_list);
    let own = changed_globals.iter().map(|it| (it.name.as_str(), &it.value));
    let others = other.changed_globals.iter().map(|it| (it.name.as_str(), &it.value));
    let is_value = |pieces: &mut Pieces<'_>, one, other| pieces.is_same(one, other);
    let same_globals = pieces.are_same_by_name(own.collect(), others.collect(), is_value);
    let same_result = match (result, &other.result) {
        (Some(one), Some(other)) => pieces.is_same(one, other),
        // Suites of earlier versions have a null where there is nothing.
        (None, None | Some(Value::Null)) | (Some(Value::Null), None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    (ending, stdout) == (&other.ending, &other.stdout)
        && same_result
        && same_objects
        && same_globals
}

/// Memory that two runs made, and which piece of one is which of the other.
struct Pieces<'a> {
    own: &'a [Made],
    others: &'a [Made],
    forth: BTreeMap<usize, usize>,
    back: BTreeMap<usize, usize>,
}

impl<'a> Pieces<'a> {
    fn new(own: &'a [Made], others: &'a [Made]) -> Pieces<'a> {
        Pieces { own, others, forth: BTreeMap::new(), back: BTreeMap::new() }
    }

    /// In which order things are declared is no behavior. What has the same name is in the order of the files.
    fn are_same_by_name<T>(
        &mut self,
        mut some: Vec<(&str, T)>,
        mut others: Vec<(&str, T)>,
        is_same: impl Fn(&mut Pieces<'a>, T, T) -> bool,
    ) -> bool {
        some.sort_by_key(|(name, _)| *name);
        others.sort_by_key(|(name, _)| *name);
        some.len() == others.len()
            && some.into_iter().zip(others).all(|((name, one), (other_name, other))| {
                name == other_name && is_same(self, one, other)
            })
    }

    fn are_same(&mut self, some: &[Value], others: &[Value]) -> bool {
        some.len() == others.len()
            && some.iter().zip(others).all(|(one, other)| self.is_same(one, other))
    }

    /// Bytes are what there are no words for: parts of addresses, and what was never written.
    fn is_same(&mut self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::Made { made, offset }, Value::Made { made: other, offset: at }) => {
                offset == at && self.is_same_piece(*made, *other)
            }
            // Not all of the memory that a run made is shown.
            (Value::Made { .. }, Value::Pointer { .. })
            | (Value::Pointer { .. }, Value::Made { .. }) => true,
            (Value::Bytes { bytes }, value) | (value, Value::Bytes { bytes }) => {
                bytes.is_empty() || !is_known_pointer(value)
            }
            (Value::List(some), Value::List(others)) => self.are_same(some, others),
            (Value::Record(some), Value::Record(others)) => {
                let is_java = one.java_members().is_some();
                some.len() == others.len()
                    && some.iter().all(|(name, one)| {
                        // Which numbers classes and objects have is no behavior.
                        let is_numbering = is_java && !Value::is_java_field(name);
                        let other = others.get(name);
                        other.is_some_and(|other| is_numbering || self.is_same(one, other))
                    })
            }
            (
                Value::Union { member, field, value },
                Value::Union { member: other_member, field: other_field, value: other },
            ) => {
                let is_same_member = match (member, other_member) {
                    (Some(one), Some(other)) => one == other,
                    // Suites of earlier versions have positions only.
                    (_, _) => field == other_field,
                };
                is_same_member && self.is_same(value, other)
            }
            (
                Value::Global { global, offset },
                Value::Global { global: other, offset: other_offset },
            ) => {
                let is_nameless = |name: &str| literal::is_text(name) || literal::is_number(name);
                let is_unknown = literal::is_number(global) || literal::is_number(other);
                match is_nameless(global) && is_nameless(other) {
                    true => {
                        is_unknown || literal::is_same((global, *offset), (other, *other_offset))
                    }
                    false => (global, offset) == (other, other_offset),
                }
            }
            (one, other) => one == other,
        }
    }

    fn is_same_piece(&mut self, own: usize, other: usize) -> bool {
        match (self.forth.get(&own), self.back.get(&other)) {
            (Some(known), _) => return *known == other,
            (None, Some(_)) => return false,
            (None, None) => {}
        }
        self.forth.insert(own, other);
        self.back.insert(other, own);
        let (Some(own), Some(other)) = (self.own.get(own), self.others.get(other)) else {
            return false;
        };
        (&own.class, own.length) == (&other.class, other.length)
            && self.are_same(&own.elements, &other.elements)
    }
}

/// Whether a pointer says where it leads.
fn is_known_pointer(value: &Value) -> bool {
    matches!(
        value,
        Value::Null | Value::Object { .. } | Value::Global { .. } | Value::Function { .. }
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::is_same;
    use crate::data::test::Expected;

    fn same(one: Json, other: Json) -> bool {
        let read = |json: Json| serde_json::from_value::<Expected>(json).expect("a run");
        let (one, other) = (read(one), read(other));
        assert_eq!(is_same(&one, &other), is_same(&other, &one));
        is_same(&one, &other)
    }

    fn node(next: Json, value: &str) -> Json {
        json!({ "type": "struct node", "length": 1, "elements": [{ "next": next, "value": value }] })
    }

    fn to(made: usize) -> Json {
        json!({ "made": made, "offset": 0 })
    }

    #[test]
    fn memory_is_the_same_wherever_it_is_found() {
        let pair = |first: Json, second: Json, result: usize| json!({ "result": to(result), "made": [first, second] });
        let list = pair(node(to(1), "1"), node(json!(null), "2"), 0);
        assert!(same(list.clone(), pair(node(json!(null), "2"), node(to(0), "1"), 1)));
        assert!(!same(list.clone(), pair(node(to(1), "1"), node(json!(null), "3"), 0)));
        assert!(!same(list.clone(), pair(node(to(0), "1"), node(json!(null), "2"), 0)), "a ring");
        let both = |one: usize, other: usize| {
            let made = [node(json!(null), "1"), node(json!(null), "1")];
            json!({ "result": [to(one), to(other)], "made": made })
        };
        assert!(!same(both(0, 1), both(0, 0)), "one piece of memory is not two");
        assert!(same(both(0, 1), both(1, 0)));
        // Suites of earlier versions know that there is some memory, and no more.
        let address = json!({ "bytes": [8, 0, 0, 64, 9, 0, 0, 0] });
        assert!(same(list.clone(), json!({ "result": address.clone() })));
        assert!(!same(json!({ "result": null }), json!({ "result": address })));
        assert!(!same(list, json!({ "result": null })));
    }

    #[test]
    fn objects_of_other_classes_are_others() {
        let of = |class: &str, length: usize| json!({ "result": to(0), "made": [{ "class": class, "type": "int", "length": length }] });
        assert!(same(of("A", 1), of("A", 1)));
        assert!(!same(of("A", 1), of("B", 1)));
        assert!(!same(of("[I", 1), of("[I", 2)));
        let numbered = |number: &str| {
            let object = json!({ "class number": number, "identity hash": number, "n": "4" });
            json!({ "changed_objects": [{ "name": "this", "elements": [object] }] })
        };
        assert!(same(numbered("2"), numbered("3")));
    }

    #[test]
    fn members_of_unions_are_compared_by_name() {
        let with = |member: Json, field: usize| {
            let mut union = json!({ "field": field, "value": "4" });
            if member.is_string() {
                union["member"] = member;
            }
            json!({ "result": union })
        };
        assert!(same(with(json!("a"), 0), with(json!("a"), 1)));
        assert!(!same(with(json!("a"), 0), with(json!("b"), 0)));
        assert!(same(with(json!(null), 0), with(json!("b"), 0)));
        assert!(!same(with(json!(null), 1), with(json!("b"), 0)));
    }
}
