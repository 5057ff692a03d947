//! Names of Java tests as people write them: `withdraw_returnsFalse_whenBalanceBelow0`.

use glassbox_ir::SourceType;
use glassbox_testcase::java::{JavaEnding, JavaValue};

use crate::naming::condition;

/// Numbers of more digits are no part of a name.
const LARGEST: i128 = 9999;

/// The longest condition in a name.
const LONGEST: usize = 44;

/// A name by what the method does and when; what is not known is left out.
pub fn java_name(method: &str, outcome: Option<&str>, goal: Option<&str>) -> String {
    let when = goal.map(|goal| camels(&condition(goal))).filter(|words| !words.is_empty());
    let outcome = outcome.map(|outcome| format!("_{outcome}")).unwrap_or_default();
    let when = when.map(|words| format!("_when{words}")).unwrap_or_default();
    format!("{method}{outcome}{when}")
}

/// `returnsTrue`, `throwsNullPointerException`; `None` where there is no short word for it.
pub fn java_outcome(ending: &JavaEnding, result: &SourceType) -> Option<String> {
    match ending {
        JavaEnding::Thrown(class) => {
            let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
            Some(format!("throws{simple}"))
        }
        JavaEnding::Returned(value) => {
            Some(format!("returns{}", value_word(value.as_ref()?, result)?))
        }
        JavaEnding::Other(_) => None,
    }
}

fn value_word(value: &JavaValue, result: &SourceType) -> Option<String> {
    match (value, result) {
        (JavaValue::Null, _) => Some("Null".to_owned()),
        (JavaValue::Int(bits), SourceType::Bool) => {
            Some(if bits.is_zero() { "False" } else { "True" }.to_owned())
        }
        // Characters are 16 bits without a sign; their numbers say little.
        (JavaValue::Int(bits), SourceType::Int { .. }) if bits.width() != 16 => {
            let number = bits.signed();
            let sign = if number < 0 { "Minus" } else { "" };
            (number.abs() <= LARGEST).then(|| format!("{sign}{}", number.abs()))
        }
        (JavaValue::String(text), _) if text.is_empty() => Some("EmptyString".to_owned()),
        (
            JavaValue::Int(_)
            | JavaValue::Float(_)
            | JavaValue::String(_)
            | JavaValue::Input(_)
            | JavaValue::Array(..)
            | JavaValue::Boxed(..)
            | JavaValue::Object(_),
            _,
        ) => None,
    }
}

/// Words of a condition, each with a capital letter; comparisons as people say them.
fn camels(condition: &str) -> String {
    let mut out = String::new();
    for word in condition.split('_').filter(|word| !word.is_empty()) {
        let word = match word {
            "eq" => "Is",
            "ne" => "IsNot",
            "lt" => "Below",
            "le" => "AtMost",
            "gt" => "Above",
            "ge" => "AtLeast",
            other => other,
        };
        if out.len() + word.len() > LONGEST {
            break;
        }
        // 25.0 is not 250.
        let is_digit = |letter: char| letter.is_ascii_digit();
        if out.ends_with(is_digit) && word.starts_with(is_digit) {
            out.push('_');
        }
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    // Words that ask for another are no last ones.
    for open in ["IsNot", "Is", "Below", "AtMost", "Above", "AtLeast", "And", "Or", "Not", "Plus"] {
        if let Some(rest) = out.strip_suffix(open) {
            out.truncate(rest.len());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{java_name, java_outcome};
    use glassbox_ir::SourceType;
    use glassbox_testcase::java::{JavaEnding, JavaValue};
    use glassbox_values::Bits;

    #[test]
    fn names_say_what_comes_and_when() {
        let name = |outcome, goal| java_name("withdraw", outcome, goal);
        let goals = [
            ("balance < 0 is true", "withdraw_returnsFalse_whenBalanceBelow0"),
            ("balance < 0 is false", "withdraw_returnsFalse_whenBalanceAtLeast0"),
            ("token == null is true", "withdraw_returnsFalse_whenTokenIsNull"),
            ("token == null is false", "withdraw_returnsFalse_whenTokenIsNotNull"),
            ("!isEmpty() is false", "withdraw_returnsFalse_whenIsEmpty"),
            ("rate < 25.0 is true", "withdraw_returnsFalse_whenRateBelow25_0"),
            ("it is called", "withdraw_returnsFalse"),
        ];
        for (goal, expected) in goals {
            assert_eq!(name(Some("returnsFalse"), Some(goal)), expected);
        }
        assert_eq!(name(None, None), "withdraw");
        let long = "first.second(third, fourth, fifth) == sixth.seventh(eighth) + 9 is true";
        assert!(name(None, Some(long)).len() < 60, "{}", name(None, Some(long)));
    }

    #[test]
    fn outcomes_are_words() {
        let thrown = JavaEnding::Thrown("java.lang.NullPointerException".to_owned());
        assert_eq!(
            java_outcome(&thrown, &SourceType::Void).as_deref(),
            Some("throwsNullPointerException")
        );
        let zero = JavaEnding::Returned(Some(JavaValue::Int(Bits::zero(32))));
        assert_eq!(java_outcome(&zero, &SourceType::Bool).as_deref(), Some("returnsFalse"));
        assert_eq!(java_outcome(&JavaEnding::Returned(None), &SourceType::Void), None);
    }
}
