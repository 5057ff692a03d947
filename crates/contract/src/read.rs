//! From TOML to contracts and defaults; whatever does not fit is reported with its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::complaint::Complaint;
use crate::expression::{change, is_closed, operator_at_the_end};
use crate::mapping::{self, Mapping};
use crate::quantifier;
use crate::read_behavior::Behaviors;
use crate::separate;
use crate::stub::{Allowed, Output, Stub, Values};
use crate::{
    Bounds, Clause, ClauseKind, CommandDefaults, Config, Contract, Effect, OptionDefault,
    OptionValue, Permuted, Relation, RelationKind, similar,
};

pub(crate) type Reading<T> = Result<T, Box<Complaint>>;
pub(crate) type Key<'i> = Spanned<DeString<'i>>;
pub(crate) type Item<'i> = Spanned<DeValue<'i>>;

/// Commands whose options can have defaults here.
const COMMANDS: &[&str] = &["gen", "check"];

pub(crate) fn read(path: String, text: String, is_near: bool) -> Reading<Config> {
    let reader = Reader { path: &path, text: &text };
    let document = match DeTable::parse(&text) {
        Ok(document) => document,
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            return Err(reader.complaint(span, error.message(), None));
        }
    };
    let mut contracts = Vec::new();
    let mut classes = Vec::new();
    let mut stubs = Vec::new();
    let mut defaults = Vec::new();
    let mut rules = Mapping::default();
    for (key, value) in in_order(document.get_ref()) {
        match key.get_ref().as_ref() {
            "function" => {
                for (name, body) in in_order(reader.table(value)?) {
                    contracts.push(reader.contract(name, body)?);
                }
            }
            "stub" => {
                for (name, body) in in_order(reader.table(value)?) {
                    stubs.push(reader.stub(name, body)?);
                }
            }
            "class" => {
                for (name, body) in in_order(reader.table(value)?) {
                    classes.push(reader.invariants(name, body)?);
                }
            }
            "rules" => rules = mapping::read(&reader, value)?,
            command if COMMANDS.contains(&command) => {
                let options = in_order(reader.table(value)?)
                    .into_iter()
                    .map(|(key, value)| reader.option(key, value));
                let options = options.collect::<Reading<Vec<OptionDefault>>>()?;
                defaults.push(CommandDefaults { command: command.to_owned(), options });
            }
            other => {
                let known = ["function", "stub", "class", "rules", "gen", "check"];
                return Err(reader.unknown("section", other, key.span(), &known));
            }
        }
    }
    let (path, text) = (path.clone(), text.clone());
    Ok(Config { path, text, is_near, contracts, stubs, classes, defaults, rules })
}

/// Entries in the order of the file.
pub(crate) fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Key<'i>, &'t Item<'i>)> {
    let mut entries: Vec<(&Key<'i>, &Item<'i>)> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

pub(crate) struct Reader<'t> {
    path: &'t str,
    text: &'t str,
}

impl Reader<'_> {
    pub(crate) fn complaint(
        &self,
        span: Range<usize>,
        message: &str,
        help: Option<&str>,
    ) -> Box<Complaint> {
        Box::new(Complaint {
            path: self.path.to_owned(),
            text: self.text.to_owned(),
            span: Some(span),
            message: message.to_owned(),
            help: help.map(str::to_owned),
        })
    }

    pub(crate) fn unknown(
        &self,
        what: &str,
        name: &str,
        span: Range<usize>,
        known: &[&str],
    ) -> Box<Complaint> {
        let help = similar::help(name, known);
        self.complaint(span, &format!("no {what} `{name}` is known here"), Some(&help))
    }

    pub(crate) fn wrong<T>(&self, item: &Item<'_>, wanted: &str) -> Reading<T> {
        let found = item.get_ref().type_str();
        let message = format!("this should be {wanted}, and is a TOML {found}");
        Err(self.complaint(item.span(), &message, None))
    }

    pub(crate) fn table<'t, 'i>(&self, item: &'t Item<'i>) -> Reading<&'t DeTable<'i>> {
        let DeValue::Table(table) = item.get_ref() else { return self.wrong(item, "a table") };
        Ok(table)
    }

    /// A string and the offset of its first character.
    pub(crate) fn string(&self, item: &Item<'_>, wanted: &str) -> Reading<(String, usize)> {
        let DeValue::String(string) = item.get_ref() else { return self.wrong(item, wanted) };
        let start = item.span().start;
        let rest = self.text.get(start..).unwrap_or_default();
        let is_long = rest.starts_with("\"\"\"") || rest.starts_with("'''");
        let skipped = match (is_long, rest.get(3..4) == Some("\n")) {
            (true, true) => 4,
            (true, false) => 3,
            (false, _) => 1,
        };
        if string.trim().is_empty() {
            return Err(self.complaint(item.span(), "an expression is missing here", None));
        }
        if !is_closed(string) {
            return Err(self.complaint(item.span(), "this is not one C expression", None));
        }
        if let Some(what) = quantifier::mistake(string) {
            return Err(self.complaint(item.span(), what, None));
        }
        if let Some(operator) = operator_at_the_end(string) {
            let message = format!("something is missing behind `{operator}`");
            return Err(self.complaint(item.span(), &message, None));
        }
        if let Some(operator) = change(string) {
            let message = format!("a condition changes nothing, but there is `{operator}`");
            let hint = (operator == "=").then_some("equality is written `==`");
            return Err(self.complaint(item.span(), &message, hint));
        }
        Ok((string.clone().into_owned(), start + skipped))
    }

    fn contract(&self, name: &Key<'_>, body: &Item<'_>) -> Reading<Contract> {
        let mut lengths = Vec::new();
        let mut ranges = Vec::new();
        let mut others = Vec::new();
        let mut relations = Vec::new();
        let mut requirements = Vec::new();
        let (mut behaviors, mut apart) = (Behaviors::default(), None);
        for (key, value) in in_order(self.table(body)?) {
            match key.get_ref().as_ref() {
                "behavior" => self.behaviors(value, &mut behaviors)?,
                "complete" => behaviors.complete = self.switch(key, value)?,
                "disjoint" => behaviors.disjoint = self.switch(key, value)?,
                "assigns" => others.push(self.assigns(key, value)?),
                "separate" => {
                    others.push(separate::read(self, value)?);
                    apart = Some(value);
                }
                "symmetric" => relations.push(self.symmetric(value)?),
                "permute" => relations.push(self.permute(key, value)?),
                "relate" => self.relate(value, &mut relations)?,
                "reference" => {
                    let (name, offset) = self.string(value, "the name of a function")?;
                    let kind = RelationKind::Reference { function: name, older: None };
                    relations.push(Relation { kind, offset });
                }
                "require" => self.expressions(value, &mut others, |text| {
                    (format!("require {text}"), ClauseKind::Require(text.to_owned()))
                })?,
                "ensure" => self.expressions(value, &mut others, |text| {
                    (format!("ensure {text}"), ClauseKind::Ensure(text.to_owned()))
                })?,
                "range" => {
                    for (place, bounds) in in_order(self.table(value)?) {
                        ranges.push(self.range(place, bounds)?);
                    }
                }
                "length" => {
                    for (pointer, count) in in_order(self.table(value)?) {
                        lengths.push(self.length(pointer, count)?);
                    }
                }
                "requirement" => requirements = self.names(value)?,
                other => {
                    let known = [
                        "require",
                        "ensure",
                        "range",
                        "length",
                        "separate",
                        "assigns",
                        "behavior",
                        "complete",
                        "disjoint",
                        "symmetric",
                        "permute",
                        "relate",
                        "reference",
                        "requirement",
                    ];
                    return Err(self.unknown("part of a contract", other, key.span(), &known));
                }
            }
        }
        // Sizes first, then ranges: what comes later may rest on them.
        let of_behaviors = behaviors.clauses();
        let clauses = lengths.into_iter().chain(ranges).chain(others).chain(of_behaviors).collect();
        let contract = Contract::empty(name.get_ref().as_ref(), name.span());
        let behaviors = behaviors.all;
        let contract = Contract { clauses, behaviors, relations, requirements, ..contract };
        separate::lengths_are_known(self, apart, &contract)?;
        Ok(contract)
    }

    /// `symmetric = ["x", "y"]`
    fn symmetric(&self, item: &Item<'_>) -> Reading<Relation> {
        let wanted = "a list of two or more parameters";
        let DeValue::Array(items) = item.get_ref() else { return self.wrong(item, wanted) };
        let mut names: Vec<String> = Vec::new();
        for item in items {
            let (name, _) = self.string(item, "the name of a parameter")?;
            if names.contains(&name) {
                return Err(self.complaint(item.span(), "this parameter is named twice", None));
            }
            names.push(name);
        }
        if names.len() < 2 {
            return self.wrong(item, wanted);
        }
        let offset = items.first().map_or(item.span().start, |first| first.span().start + 1);
        Ok(Relation { kind: RelationKind::Symmetric(names), offset })
    }

    /// `permute.a = "natural"`
    fn permute(&self, key: &Key<'_>, item: &Item<'_>) -> Reading<Relation> {
        let mut arrays = Vec::new();
        for (array, effect) in in_order(self.table(item)?) {
            let known = ["invariant", "natural", "index"];
            let (word, _) = self.string(effect, "\"invariant\", \"natural\" or \"index\"")?;
            let effect = match word.as_str() {
                "invariant" => Effect::Invariant,
                "natural" => Effect::Natural,
                "index" => Effect::Index,
                other => {
                    return Err(self.unknown(
                        "effect of a permutation",
                        other,
                        effect.span(),
                        &known,
                    ));
                }
            };
            let name = array.get_ref().clone().into_owned();
            arrays.push(Permuted { array: name, effect, offset: self.key_offset(array) });
        }
        let Some(first) = arrays.first() else { return self.wrong(item, "a table of arrays") };
        let n_indexed = arrays.iter().filter(|array| array.effect == Effect::Index).count();
        if n_indexed > 1 {
            let message = "the result is an index into one array only";
            return Err(self.complaint(key.span(), message, None));
        }
        Ok(Relation { offset: first.offset, kind: RelationKind::Permute(arrays) })
    }

    /// `relate = ["f(y, x) == f(x, y)"]`
    fn relate(&self, item: &Item<'_>, out: &mut Vec<Relation>) -> Reading<()> {
        let mut clauses = Vec::new();
        self.expressions(item, &mut clauses, |text| {
            (text.to_owned(), ClauseKind::Ensure(text.to_owned()))
        })?;
        out.extend(clauses.into_iter().map(|clause| Relation {
            kind: RelationKind::Relate(clause.shown),
            offset: clause.offset,
        }));
        Ok(())
    }

    /// One name or a list of them.
    fn names(&self, item: &Item<'_>) -> Reading<Vec<String>> {
        let wanted = "a name in quotes, or a list of them";
        let one = |item: &Item<'_>| match item.get_ref() {
            DeValue::String(name) if !name.trim().is_empty() => Ok(name.trim().to_owned()),
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => self.wrong(item, wanted),
        };
        if let DeValue::Array(items) = item.get_ref() {
            items.iter().map(one).collect()
        } else {
            Ok(vec![one(item)?])
        }
    }

    /// What an undefined function does.
    fn stub(&self, name: &Key<'_>, body: &Item<'_>) -> Reading<Stub> {
        let function = name.get_ref().clone().into_owned();
        let (mut returns, mut sequence, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for (key, value) in in_order(self.table(body)?) {
            match key.get_ref().as_ref() {
                "returns" => returns = self.allowed(value)?,
                "sequence" => sequence = self.allowed(value)?,
                "out" => {
                    for (place, value) in in_order(self.table(value)?) {
                        let offset = self.key_offset(place);
                        let name = place.get_ref().trim().to_owned();
                        if !is_closed(&name) {
                            let message = "this is not one C expression";
                            return Err(self.complaint(place.span(), message, None));
                        }
                        let allowed = self.allowed(value)?;
                        outputs.push(Output { place: name, offset, allowed });
                    }
                }
                other => {
                    let known = ["returns", "sequence", "out"];
                    return Err(self.unknown("part of a stub", other, key.span(), &known));
                }
            }
        }
        Ok(Stub { function, name: name.span(), returns, sequence, outputs })
    }

    /// One value or range, or a list of them.
    fn allowed(&self, item: &Item<'_>) -> Reading<Vec<Allowed>> {
        let wanted = "a number, \"low..high\", a C expression in quotes, or a list of them";
        let one = |item: &Item<'_>| -> Reading<Allowed> {
            let mut offset = item.span().start;
            let values = match item.get_ref() {
                DeValue::String(text) if text.contains("..") => {
                    Values::Between(self.bounds(item, wanted)?)
                }
                DeValue::String(_) => {
                    let (text, start) = self.string(item, wanted)?;
                    offset = start;
                    Values::One(text)
                }
                DeValue::Integer(_)
                | DeValue::Float(_)
                | DeValue::Boolean(_)
                | DeValue::Datetime(_)
                | DeValue::Array(_)
                | DeValue::Table(_) => Values::One(self.number(item, wanted)?),
            };
            Ok(Allowed { values, offset })
        };
        let allowed = match item.get_ref() {
            DeValue::Array(items) => items.iter().map(one).collect::<Reading<Vec<Allowed>>>()?,
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_) => vec![one(item)?],
        };
        if allowed.is_empty() { self.wrong(item, wanted) } else { Ok(allowed) }
    }

    /// What holds of objects of a class whenever a method is called and when it returns.
    fn invariants(&self, name: &Key<'_>, body: &Item<'_>) -> Reading<Contract> {
        let mut clauses = Vec::new();
        for (key, value) in in_order(self.table(body)?) {
            match key.get_ref().as_ref() {
                "invariant" => self.expressions(value, &mut clauses, |text| {
                    (format!("invariant {text}"), ClauseKind::Ensure(text.to_owned()))
                })?,
                other => {
                    return Err(self.unknown("part of a class", other, key.span(), &["invariant"]));
                }
            }
        }
        let contract = Contract::empty(name.get_ref().as_ref(), name.span());
        Ok(Contract { clauses, ..contract })
    }

    /// One expression or a list of them.
    pub(crate) fn expressions(
        &self,
        item: &Item<'_>,
        out: &mut Vec<Clause>,
        clause: impl Fn(&str) -> (String, ClauseKind),
    ) -> Reading<()> {
        let wanted = "a C expression in quotes, or a list of them";
        let mut add = |item: &Item<'_>| -> Reading<()> {
            let (text, offset) = self.string(item, wanted)?;
            let (shown, kind) = clause(&text);
            out.push(Clause { kind, shown, offset, declared: None, behavior: None });
            Ok(())
        };
        if let DeValue::Array(items) = item.get_ref() {
            items.iter().try_for_each(add)
        } else {
            add(item)
        }
    }

    fn range(&self, place: &Key<'_>, bounds: &Item<'_>) -> Reading<Clause> {
        let wanted = "a pair [low, high] or \"low..high\"";
        let bounds_read = self.bounds(bounds, wanted)?;
        let name = place.get_ref().clone().into_owned();
        if !is_closed(&name) {
            return Err(self.complaint(place.span(), "this is not one C expression", None));
        }
        let Bounds { low, high } = &bounds_read;
        let (from, to) = (low.as_deref().unwrap_or_default(), high.as_deref().unwrap_or_default());
        let shown = format!("range {name} = {from}..{to}");
        let offset = self.key_offset(place);
        let kind = ClauseKind::Range { place: name, bounds: bounds_read };
        Ok(Clause { kind, shown, offset, declared: None, behavior: None })
    }

    /// The ends of a range.
    fn bounds(&self, bounds: &Item<'_>, wanted: &str) -> Reading<Bounds> {
        let (low, high) = match bounds.get_ref() {
            DeValue::Array(pair) if pair.len() == 2 => {
                let mut ends = pair.iter().map(|end| self.number(end, wanted));
                (ends.next().transpose()?, ends.next().transpose()?)
            }
            DeValue::String(text) => match text.split_once("..") {
                Some((low, high)) => {
                    let end = |text: &str| {
                        let text = text.trim_start_matches('=').trim();
                        (!text.is_empty()).then(|| text.to_owned())
                    };
                    (end(low), end(high))
                }
                None => return self.wrong(bounds, wanted),
            },
            DeValue::Array(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_) => return self.wrong(bounds, wanted),
        };
        if let (Some(Ok(from)), Some(Ok(to))) =
            (low.as_deref().map(str::parse::<i128>), high.as_deref().map(str::parse::<i128>))
            && from > to
        {
            return Err(self.complaint(bounds.span(), "nothing lies in this range", None));
        }
        let is_whole = |text: &Option<String>| text.as_deref().is_none_or(is_closed);
        if !is_whole(&low) || !is_whole(&high) {
            return self.wrong(bounds, wanted);
        }
        Ok(Bounds { low, high })
    }

    /// A number, or a C expression in quotes.
    fn number(&self, item: &Item<'_>, wanted: &str) -> Reading<String> {
        match item.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => {
                let written = self.text.get(item.span()).unwrap_or_default();
                let text = written.replace('_', "");
                let text = text.trim_start_matches('+');
                // TOML's octal is not C's.
                match text.strip_prefix("0o") {
                    Some(octal) => Ok(format!("0{octal}")),
                    None if matches!(text.trim_start_matches('-'), "inf" | "nan") => {
                        self.wrong(item, "a finite number")
                    }
                    None => Ok(text.to_owned()),
                }
            }
            DeValue::String(_) => self.string(item, wanted).map(|(text, _)| text),
            DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                self.wrong(item, wanted)
            }
        }
    }

    fn length(&self, pointer: &Key<'_>, count: &Item<'_>) -> Reading<Clause> {
        let wanted = "a number of elements, or a C expression in quotes";
        let text = self.number(count, wanted)?;
        if matches!(count.get_ref(), DeValue::Float(_)) || text.starts_with('-') || text == "0" {
            return self.wrong(count, "a positive number of elements");
        }
        let name = pointer.get_ref().clone().into_owned();
        let shown = format!("length {name} = {text}");
        let offset = self.key_offset(pointer);
        let kind = ClauseKind::Length { pointer: name, count: text };
        Ok(Clause { kind, shown, offset, declared: None, behavior: None })
    }

    pub(crate) fn key_offset(&self, key: &Key<'_>) -> usize {
        let start = key.span().start;
        let is_quoted = self.text.get(start..).is_some_and(|rest| rest.starts_with(['"', '\'']));
        start + usize::from(is_quoted)
    }

    fn option(&self, key: &Key<'_>, item: &Item<'_>) -> Reading<OptionDefault> {
        let wanted = "a string, a number, true or false, or a list";
        let value = match item.get_ref() {
            DeValue::Boolean(on) => OptionValue::Flag(*on),
            DeValue::Array(items) => {
                let values = items.iter().map(|item| self.number(item, wanted));
                OptionValue::Values(values.collect::<Reading<Vec<String>>>()?)
            }
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_) => OptionValue::Values(vec![self.number(item, wanted)?]),
        };
        Ok(OptionDefault {
            name: key.get_ref().replace('_', "-"),
            key: key.span(),
            value,
            span: item.span(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn complaint(text: &str) -> String {
        match read("glassbox.toml".to_owned(), text.to_owned(), true) {
            Ok(config) => panic!("should be refused: {config:?}"),
            Err(complaint) => complaint.to_string(),
        }
    }

    #[test]
    fn requirements_are_names() {
        let text =
            "[function.f]\nrequirement = \"SRS-12\"\n[function.g]\nrequirement = [\"A\", \"B\"]\n";
        let config = read("glassbox.toml".to_owned(), text.to_owned(), true).expect("fits");
        assert_eq!(config.contracts[0].requirements, ["SRS-12"]);
        assert_eq!(config.contracts[1].requirements, ["A", "B"]);
        let wrong = complaint("[function.f]\nrequirement = 12\n");
        assert!(wrong.contains("this should be a name in quotes"), "{wrong}");
    }

    #[test]
    fn contracts_are_read_in_an_order_that_lets_later_clauses_rest_on_earlier_ones() {
        let text = "[function.f]\nrequire = \"a[0] > 0\"\nlength.a = 3\nrange.\"a[]\" = [1, 9]\n\
                    range.t = \"1..\"\nensure = ['result > old(t)']\n";
        let config = read("glassbox.toml".to_owned(), text.to_owned(), true).expect("fits");
        let shown: Vec<&str> =
            config.contracts[0].clauses.iter().map(|clause| clause.shown.as_str()).collect();
        assert_eq!(
            shown,
            [
                "length a = 3",
                "range a[] = 1..9",
                "range t = 1..",
                "require a[0] > 0",
                "ensure result > old(t)"
            ]
        );
        let require = &config.contracts[0].clauses[3];
        assert_eq!(config.place(require.offset), (2, 12));
    }

    #[test]
    fn what_does_not_fit_is_reported_with_its_place() {
        assert_eq!(
            complaint("[function.f]\nrequires = \"a\"\n"),
            "glassbox.toml:2:1: error: no part of a contract `requires` is known here\n 2 | requires = \"a\"\n   | \
             ^^^^^^^^\n  = help: did you mean `require`? there are: require, ensure, range, length, separate, assigns, behavior, complete, disjoint, symmetric, permute, \
             relate, reference, requirement\n"
        );
        assert!(
            complaint("[function.f]\nrequire = 3\n")
                .contains(":2:11: error: this should be a C expr")
        );
        assert!(complaint("[function.f]\nrange.a = [1, 2, 3]\n").contains("glassbox.toml:2:11"));
        assert!(
            complaint("[function.f]\nrange.a = [5, 2]\n").contains("nothing lies in this range")
        );
        assert!(complaint("[function.f]\nlength.a = -1\n").contains("positive number"));
        assert!(complaint("[fonction.f]\n").contains(":1:2: error: no section `fonction`"));
        let half = complaint("[function.f]\nrequire = \"a > 0 &&\"\n");
        assert!(half.contains(":2:11: error: something is missing behind `&&`"), "{half}");
        assert!(complaint("[function.f\n").starts_with("glassbox.toml:"));
        assert!(complaint("gen = 3\n").contains("a table"));
    }
}
