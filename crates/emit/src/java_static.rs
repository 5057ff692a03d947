//! Static fields in Java tests: what they hold at the start of a test, and what the call leaves there.

use glassbox_ir::FieldId;
use glassbox_testcase::java::{JavaStatic, JavaValue};

use crate::java_object::{Objects, named_field};
use crate::java_test::{JavaTest, Writer};

/// What a test gives static fields: those that the method reads, and those that are looked at afterwards.
fn starts<'t>(test: &'t JavaTest<'_>) -> impl Iterator<Item = (FieldId, &'t JavaValue)> {
    let is_reset = |field: FieldId| test.resets.iter().any(|(known, _)| *known == field);
    let looked_at = asserted(test).filter(move |it| !is_reset(it.field));
    let resets = test.resets.iter().map(|(field, value)| (*field, value));
    resets.chain(looked_at.map(|it| (it.field, &it.before)))
}

/// All that are looked at: the method may change them, whether it has done so or not.
fn asserted<'t>(test: &'t JavaTest<'_>) -> impl Iterator<Item = &'t JavaStatic> {
    test.observed.statics.iter().filter(|_| test.relation.is_none())
}

impl Writer<'_> {
    /// Statements for static fields; how many need reflection.
    pub(crate) fn reset_statics(&mut self) -> usize {
        let test = self.test;
        for (field, value) in starts(test) {
            let declared = self.class.program.field(field);
            let Some(text) = self.expression(value, declared.source_type) else { continue };
            self.objects.set_static(field, &text);
        }
        self.objects.n_reflective
    }

    /// Assertions on static fields.
    pub(crate) fn changed_statics(&mut self) {
        let test = self.test;
        for JavaStatic { field, after, .. } in asserted(test) {
            let (text, is_object) = self.objects.get_static(*field);
            let ty = self.class.program.field(*field).source_type;
            self.assert(&text, after, ty, is_object);
        }
    }
}

impl Objects<'_> {
    /// Gives a static field a value.
    pub(crate) fn set_static(&mut self, field: FieldId, value: &str) {
        match self.plain_static(field) {
            Some(text) => self.lines.push(format!("{text} = {value};")),
            None => {
                let [class, name] = self.hidden_static(field);
                self.lines.push(format!("set(null, \"{class}\", \"{name}\", {value});"));
            }
        }
    }

    /// An expression for a static field, and whether it is an `Object` to the compiler.
    fn get_static(&mut self, field: FieldId) -> (String, bool) {
        if let Some(text) = self.plain_static(field) {
            return (text, false);
        }
        let [class, name] = self.hidden_static(field);
        (format!("get(null, \"{class}\", \"{name}\")"), true)
    }

    fn plain_static(&mut self, field: FieldId) -> Option<String> {
        let name = &self.program.field(field).name;
        let recipe = self.declaring(field)?;
        let known = named_field(recipe, name)?;
        self.may_use(recipe, known.visibility)
            .then(|| format!("{}.{name}", self.short(&recipe.source_name)))
    }

    /// Class and name for reflection.
    fn hidden_static(&mut self, field: FieldId) -> [String; 2] {
        self.n_reflective += 1;
        let declared = self.program.field(field);
        [self.program.classes[declared.class.index()].name.clone(), declared.name.clone()]
    }
}
