//! Every suite.json follows `schema/suite.schema.json`; what does not is refused.
//!
//! The validator knows the keywords that the schema uses and fails on any other, so that the schema cannot
//! promise what nothing checks.

use glassbox_testkit::suite::{gen_command, generate_for, read_suite};
use serde_json::{Value, json};

struct Schema {
    root: Value,
}

impl Schema {
    fn read() -> Schema {
        let text =
            std::fs::read_to_string(glassbox_testkit::root().join("schema/suite.schema.json"));
        Schema { root: serde_json::from_str(&text.expect("the schema")).expect("JSON") }
    }

    /// The first violation: where, and of what.
    fn check(&self, value: &Value) -> Result<(), String> {
        self.follows(&self.root, value, "suite")
    }

    fn follows(&self, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
        for (keyword, rule) in schema.as_object().expect("a schema is an object") {
            self.keyword(schema, keyword, rule, value, place)?;
        }
        Ok(())
    }

    fn keyword(
        &self,
        schema: &Value,
        keyword: &str,
        rule: &Value,
        value: &Value,
        place: &str,
    ) -> Result<(), String> {
        let refuse = |holds: bool| {
            if holds { Ok(()) } else { Err(format!("{place}: {keyword} {rule}: {value}")) }
        };
        let length = || value.as_array().map_or(0, Vec::len) as u64;
        match keyword {
            "$schema" | "$id" | "title" | "description" | "$defs" | "format" | "default" => Ok(()),
            "$ref" => {
                let name = rule.as_str().and_then(|rule| rule.strip_prefix("#/$defs/"));
                let target = &self.root["$defs"][name.expect("a local reference")];
                assert!(target.is_object(), "{rule} exists");
                self.follows(target, value, place)
            }
            "type" => {
                let types = rule.as_array().map_or(std::slice::from_ref(rule), Vec::as_slice);
                refuse(types.iter().any(|wanted| is_of(value, wanted.as_str().expect("a type"))))
            }
            "const" => refuse(value == rule),
            "enum" => refuse(rule.as_array().expect("a list").contains(value)),
            "minimum" => refuse(!value.is_number() || value.as_i64() >= rule.as_i64()),
            "maximum" => refuse(!value.is_number() || value.as_i64() <= rule.as_i64()),
            "minItems" => refuse(length() >= rule.as_u64().expect("a number")),
            "maxItems" => refuse(length() <= rule.as_u64().expect("a number")),
            "items" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate();
                let mut checks =
                    items.map(|(at, item)| self.follows(rule, item, &format!("{place}[{at}]")));
                checks.find(Result::is_err).unwrap_or(Ok(()))
            }
            "prefixItems" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate();
                let mut checks = items
                    .zip(rule.as_array().expect("a list"))
                    .map(|((at, item), rule)| self.follows(rule, item, &format!("{place}[{at}]")));
                checks.find(Result::is_err).unwrap_or(Ok(()))
            }
            "required" => {
                let names = rule.as_array().expect("a list").iter();
                let mut missing =
                    names.filter(|name| value.get(name.as_str().expect("a name")).is_none());
                refuse(!value.is_object() || missing.next().is_none())
            }
            "properties" => {
                let rules = rule.as_object().expect("an object").iter();
                let mut checks = rules.filter_map(|(name, rule)| {
                    let found = value.get(name)?;
                    Some(self.follows(rule, found, &format!("{place}.{name}")))
                });
                checks.find(Result::is_err).unwrap_or(Ok(()))
            }
            "additionalProperties" => {
                let Some(members) = value.as_object() else { return Ok(()) };
                let is_known = |name: &String| schema["properties"].get(name).is_some();
                let mut others = members.iter().filter(|(name, _)| !is_known(name));
                if rule.is_boolean() {
                    return refuse(others.next().is_none());
                }
                let mut checks = others
                    .map(|(name, found)| self.follows(rule, found, &format!("{place}.{name}")));
                checks.find(Result::is_err).unwrap_or(Ok(()))
            }
            "anyOf" => {
                let ways = rule.as_array().expect("a list").iter();
                let errors: Vec<String> =
                    ways.map_while(|way| self.follows(way, value, place).err()).collect();
                let is_followed = errors.len() < rule.as_array().map_or(0, Vec::len);
                if is_followed { Ok(()) } else { Err(errors.join("; or ")) }
            }
            "oneOf" => {
                let ways = rule.as_array().expect("a list").iter();
                let followed: Vec<Result<(), String>> =
                    ways.map(|way| self.follows(way, value, place)).collect();
                match followed.iter().filter(|way| way.is_ok()).count() {
                    1 => Ok(()),
                    0 => Err(followed.into_iter().filter_map(Result::err).collect::<String>()),
                    several => Err(format!("{place}: {several} alternatives hold: {value}")),
                }
            }
            "unevaluatedProperties" => {
                assert_eq!(rule, &json!(false), "only this is used");
                let Some(members) = value.as_object() else { return Ok(()) };
                let mut known = self.evaluated(schema);
                known.extend(self.ways(schema, value).flat_map(|way| self.evaluated(way)));
                refuse(members.keys().all(|name| known.contains(&name.as_str())))
            }
            other => panic!("the schema uses `{other}`, which this validator does not know"),
        }
    }
}

impl Schema {
    /// Names of members that a schema itself speaks of.
    fn evaluated<'a>(&self, schema: &'a Value) -> Vec<&'a str> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.map(|(name, _)| name.as_str()).collect()
    }

    /// Alternatives that a value follows.
    fn ways<'a>(&'a self, schema: &'a Value, value: &'a Value) -> impl Iterator<Item = &'a Value> {
        let lists = ["oneOf", "anyOf"].into_iter().filter_map(|keyword| schema[keyword].as_array());
        lists.flatten().filter(move |way| self.follows(way, value, "").is_ok())
    }
}

fn is_of(value: &Value, wanted: &str) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    }
}

/// Parameters, memory, globals, stubs, records, unions, floats, changed memory, exits, switches.
const SOURCE: &str = r#"
#include <stdlib.h>
struct point { int x; double y; };
union bits { float f; unsigned u; };
struct node { int key; struct node *next; };
int limit; static char name[4] = "ab";
extern int sensor(void);
int scalars(int a, unsigned char b, float f) { if (a > 3 && b == 7 && f > 0.1f) return 1; return 0; }
void writes(int *p, struct point *q) { if (p && q && q->y > 1.0) { *p = q->x; q->x = 3; } }
int list(const struct node *n) { while (n) { if (n->key == 5) return 1; n = n->next; } return 0; }
int by_value(struct point p, union bits u) { return p.x == 4 || u.u == 9; }
int globals(int i) { if (limit > 2) { limit = 0; name[1] = 'x'; return sensor() > i; } return 0; }
int leave(int x) { switch (x) { case 1: exit(2); case 2: return 5; default: return 0; } }
int never(unsigned x) { if (x < 4 && x > 9) return 1; return 0; }
int call(int (*f)(int), int x) { return f ? f(x) : 0; }
"#;

#[test]
fn what_gen_writes_follows_the_schema() {
    let schema = Schema::read();
    let all = [
        "statement",
        "branch",
        "decision",
        "condition",
        "mcdc",
        "mcdc:unique-cause",
        "def-use",
        "boundary",
        "assert",
    ];
    let mut args = vec!["--timeout", "10"];
    args.extend(all.iter().flat_map(|name| ["--criterion", name]));
    let (folder, suite, output) = generate_for(SOURCE, &args);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    schema.check(&suite).expect("follows the schema");
    let text = std::fs::read_to_string(folder.path().join("suite.json")).expect("a suite");
    let data = glassbox_report::data::read(&text).expect("a suite");
    assert_eq!(data.to_text(), text, "what is read is what was written");
    assert!(suite["functions"].as_array().expect("functions").len() >= 8);
    let (_folder, suite, _) = generate_for(SOURCE, &["--criterion", "path:3", "--no-exec"]);
    schema.check(&suite).expect("follows the schema");
}

#[test]
fn the_examples_follow_the_schema() {
    let schema = Schema::read();
    for example in ["triangle", "tcas"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = glassbox_testkit::root().join(format!("examples/{example}.c"));
        let args = ["--criterion", "branch", "--criterion", "mcdc", "--no-exec"];
        let output = gen_command(&file, folder.path(), &args).output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        schema.check(&read_suite(folder.path())).expect("follows the schema");
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let schema = Schema::read();
    let (_folder, good, _) = generate_for(SOURCE, &["--function", "scalars", "--no-exec"]);
    schema.check(&good).expect("follows the schema");
    let changes: &[fn(&mut Value)] = &[
        |suite| suite["format"] = json!(2),
        |suite| suite["surprise"] = json!(1),
        |suite| suite["functions"][0]["goals"][0]["verdict"] = json!("perhaps"),
        |suite| suite["functions"][0]["goals"][0]["verdict"] = json!("infeasible"),
        |suite| suite["functions"][0]["goals"][0]["line"] = json!("9"),
        |suite| suite["functions"][0]["goals"][0]["at"] = json!({ "edges": [[1]] }),
        |suite| suite["functions"][0]["tests"][0]["inputs"]["params"][0]["value"] = json!(4),
        |suite| {
            let goal = suite["functions"][0]["goals"][0].as_object_mut().expect("a goal");
            goal.remove("text");
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(schema.check(&bad).is_err(), "change {number}");
    }
}
