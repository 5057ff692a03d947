//! Cases of functions and what they may change, from TOML.

use toml::de::DeValue;

use crate::acsl::{complete, disjoint};
use crate::read::{Item, Key, Reader, Reading, in_order};
use crate::{Behavior, Clause, ClauseKind, Expression};

/// The cases of a function, and whether they are all and exclude each other.
#[derive(Debug, Default)]
pub(crate) struct Behaviors {
    pub(crate) all: Vec<Behavior>,
    promised: Vec<Clause>,
    /// Where it is said.
    pub(crate) complete: Option<usize>,
    pub(crate) disjoint: Option<usize>,
}

impl Behaviors {
    /// What the cases promise, then what is promised about them.
    pub(crate) fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses = std::mem::take(&mut self.promised);
        let all: Vec<&Behavior> = self.all.iter().collect();
        let about = [(self.complete, complete(&all)), (self.disjoint, disjoint(&all))];
        for (offset, made) in about {
            let Some(offset) = offset else { continue };
            clauses.extend(made.into_iter().map(|(text, shown)| Clause {
                kind: ClauseKind::Ensure(text),
                shown,
                offset,
                declared: None,
                behavior: None,
            }));
        }
        clauses
    }
}

impl Reader<'_> {
    /// `[[function.f.behavior]]`
    pub(crate) fn behaviors(&self, item: &Item<'_>, out: &mut Behaviors) -> Reading<()> {
        let wanted = "a list of behaviors, each as [[function.NAME.behavior]]";
        let DeValue::Array(items) = item.get_ref() else { return self.wrong(item, wanted) };
        for item in items {
            self.behavior(item, out)?;
        }
        Ok(())
    }

    fn behavior(&self, item: &Item<'_>, out: &mut Behaviors) -> Reading<()> {
        let position = out.all.len();
        let mut name = (position + 1).to_string();
        let (mut assumed, mut promised) = (Vec::new(), Vec::new());
        for (key, value) in in_order(self.table(item)?) {
            let expression = |text: &str| (text.to_owned(), ClauseKind::Ensure(text.to_owned()));
            match key.get_ref().as_ref() {
                "name" => {
                    let DeValue::String(given) = value.get_ref() else {
                        return self.wrong(value, "a name in quotes");
                    };
                    name = given.trim().to_owned();
                }
                "assumes" => self.expressions(value, &mut assumed, expression)?,
                "ensures" => self.expressions(value, &mut promised, expression)?,
                other => {
                    let known = ["name", "assumes", "ensures"];
                    return Err(self.unknown("part of a behavior", other, key.span(), &known));
                }
            }
        }
        if let Some(known) = out.all.iter().find(|known| known.name == name) {
            let message = format!("there are two behaviors `{}`", known.name);
            return Err(self.complaint(item.span(), &message, None));
        }
        for clause in &assumed {
            if !crate::expression::olds(&clause.shown).is_empty() {
                let message = "what a behavior assumes is about the time before the call: there is no `old` in it";
                let end = clause.offset + clause.shown.len();
                return Err(self.complaint(clause.offset..end, message, None));
            }
        }
        out.promised.extend(promised.into_iter().map(|clause| Clause {
            shown: format!("behavior {name}: ensure {}", clause.shown),
            behavior: Some(position),
            ..clause
        }));
        let assumes = assumed.into_iter().map(|clause| Expression {
            text: clause.shown,
            offset: clause.offset,
            declared: None,
        });
        out.all.push(Behavior { name, assumes: assumes.collect() });
        Ok(())
    }

    /// Whether something is switched on, and where.
    pub(crate) fn switch(&self, key: &Key<'_>, item: &Item<'_>) -> Reading<Option<usize>> {
        match item.get_ref() {
            DeValue::Boolean(on) => Ok(on.then(|| self.key_offset(key))),
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => self.wrong(item, "true or false"),
        }
    }

    /// `assigns = ["*p", "a[0..n-1]", "g"]`
    pub(crate) fn assigns(&self, key: &Key<'_>, item: &Item<'_>) -> Reading<Clause> {
        let mut places = Vec::new();
        let is_none = matches!(item.get_ref(), DeValue::Array(items) if items.is_empty());
        if !is_none {
            self.expressions(item, &mut places, |text| {
                (text.to_owned(), ClauseKind::Ensure(text.to_owned()))
            })?;
        }
        let places: Vec<Expression> = places
            .into_iter()
            .map(|clause| Expression { text: clause.shown, offset: clause.offset, declared: None })
            .collect();
        let names: Vec<&str> = places.iter().map(|it| it.text.as_str()).collect();
        let shown = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        Ok(Clause {
            shown: format!("assigns {shown}"),
            kind: ClauseKind::Assigns(places),
            offset: self.key_offset(key),
            declared: None,
            behavior: None,
        })
    }
}
