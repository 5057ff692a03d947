//! The schema of suite.json, made from the types: `schema/suite.schema.json` is compared with it.

use std::path::Path;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;

use super::SuiteData;

#[test]
fn the_schema_is_that_of_the_types() {
    // What readers put in the place of a missing member is no part of the format.
    let without_default = RecursiveTransform(|schema: &mut Schema| {
        schema.remove("default");
    });
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(without_default);
    let mut schema = settings.into_generator().into_root_schema_for::<SuiteData>();
    let id = "https://glassbox-tg.github.io/schema/suite.schema.json";
    schema.insert("$id".to_owned(), id.into());
    let text = serde_json::to_string_pretty(&schema).expect("JSON");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/suite.schema.json");
    expect_test::expect_file![path].assert_eq(&format!("{text}\n"));
}
