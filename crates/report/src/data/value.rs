//! Values of inputs and results.

use indexmap::IndexMap;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Integers as decimal text (JSON numbers are not exact), floats exactly in hex, null for null pointers,
/// pointers as place and byte offset, records by member, arrays by element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged, deny_unknown_fields)]
pub enum Value {
    Null,
    Number(String),
    Float {
        hex: String,
        decimal: String,
    },
    /// A pointer into memory that the test makes.
    Object {
        /// Position in inputs.objects.
        object: usize,
        offset: u64,
    },
    /// A pointer into memory that the run made.
    Made {
        /// Position in expected.made.
        made: usize,
        offset: u64,
    },
    Global {
        global: String,
        offset: u64,
    },
    Function {
        function: String,
    },
    /// A number of which the type is not known.
    Int {
        int: String,
        bits: u32,
    },
    Bytes {
        bytes: Vec<u8>,
    },
    /// A pointer of which the type is not known.
    Pointer {
        pointer: String,
    },
    Union {
        /// The name of the member that is shown, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        member: Option<String>,
        /// Its position.
        field: usize,
        value: Box<Value>,
    },
    List(Vec<Value>),
    Record(IndexMap<String, Value>),
}

/// Members that only records of Java objects have.
pub const CLASS_NUMBER: &str = "class number";
const IDENTITY_HASH: &str = "identity hash";

impl Value {
    /// The members of a record.
    pub fn members(&self) -> Option<&IndexMap<String, Value>> {
        if let Value::Record(members) = self { Some(members) } else { None }
    }

    /// The record that an object of Java comes as: its class, its fields or its length and elements.
    pub fn java_members(&self) -> Option<&IndexMap<String, Value>> {
        self.members().filter(|members| members.contains_key(CLASS_NUMBER))
    }

    /// Whether a member of a Java object is one of its fields.
    pub fn is_java_field(name: &str) -> bool {
        name != CLASS_NUMBER && name != IDENTITY_HASH
    }

    /// A constant that C could spell: decimal, or hexadecimal for floats.
    pub fn scalar(&self) -> Option<&str> {
        let (Value::Number(text) | Value::Int { int: text, .. } | Value::Float { hex: text, .. }) =
            self
        else {
            return None;
        };
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "null",
            "\"-7\"",
            "[\"1\",null]",
            "{\"hex\":\"0x1p0\",\"decimal\":\"1.0\"}",
            "{\"object\":3,\"offset\":8}",
            "{\"global\":\"g\",\"offset\":0}",
            "{\"function\":\"f\"}",
            "{\"int\":\"3\",\"bits\":32}",
            "{\"bytes\":[1,255]}",
            "{\"pointer\":\"Null\"}",
            "{\"field\":1,\"value\":\"4\"}",
            "{\"member\":\"d\",\"field\":1,\"value\":\"4\"}",
            "{\"made\":1,\"offset\":4}",
            "{\"z\":\"1\",\"a\":[{\"object\":\"5\",\"offset\":\"6\"}]}",
            "{\"function\":\"5\",\"x\":\"1\"}",
            "{}",
        ] {
            let value: Value = serde_json::from_str(text).expect("a value");
            assert_eq!(serde_json::to_string(&value).expect("JSON"), text, "{value:?}");
        }
        let members: Value =
            serde_json::from_str("{\"object\":\"5\",\"offset\":\"6\"}").expect("a record");
        assert!(members.members().is_some(), "members that are named like parts of a pointer");
        assert!(serde_json::from_str::<Value>("4").is_err(), "numbers are text");
    }
}
