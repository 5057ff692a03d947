//! Names of tests: what they reach, as an identifier.

/// An identifier made of words of `text`: letters and digits stay, operators become words.
pub fn identifier(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text.chars().peekable();
    // What stands before decides whether `*` multiplies or follows a pointer.
    let mut before = ' ';
    while let Some(letter) = rest.next() {
        let is_after_value = before.is_ascii_alphanumeric() || "_)]'".contains(before);
        if !letter.is_whitespace() {
            before = letter;
        }
        let next = rest.peek().copied();
        let word = match (letter, next) {
            ('<', Some('=')) => skip(&mut rest, " le "),
            ('>', Some('=')) => skip(&mut rest, " ge "),
            ('=', Some('=')) => skip(&mut rest, " eq "),
            ('!', Some('=')) => skip(&mut rest, " ne "),
            ('&', Some('&')) => skip(&mut rest, " and "),
            ('|', Some('|')) => skip(&mut rest, " or "),
            ('-', Some('>')) => skip(&mut rest, " "),
            ('<', _) => " lt ",
            ('>', _) => " gt ",
            ('!', _) => " not ",
            ('%', _) => " mod ",
            ('*', _) if is_after_value => " times ",
            ('*', _) => " at ",
            ('-', Some('-')) => skip(&mut rest, " less "),
            ('+', Some('+')) => skip(&mut rest, " next "),
            ('+', _) => " plus ",
            ('-', _) => " minus ",
            (letter, _) if letter.is_ascii_alphanumeric() || letter == '_' => {
                words.push(letter);
                continue;
            }
            _ => " ",
        };
        words.push_str(word);
    }
    words.split_whitespace().collect::<Vec<_>>().join("_")
}

/// The longest name of a test.
const LONGEST: usize = 60;

/// Words of `text`, as many as fit; the last two, which say what became of the condition, stay.
fn shortened(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split('_').collect();
    let (start, end) = words.split_at(words.len().saturating_sub(2));
    let end = end.join("_");
    let mut name = String::new();
    for word in start {
        if name.len() + word.len() + end.len() + 2 > room {
            break;
        }
        name.push_str(word);
        name.push('_');
    }
    name.push_str(&end);
    let mut letters = name.chars().take(room.max(8)).collect::<String>();
    letters.truncate(letters.trim_end_matches('_').len());
    letters
}

fn skip(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &'static str) -> &'static str {
    rest.next();
    word
}

/// The most letters of a function's name in the name of a file: systems allow 255, and frameworks add to it.
const LONGEST_IN_FILE: usize = 180;

/// A function's name as a part of the name of a file; names that are cut off differ by a number made of all letters.
pub fn file_name(function: &str) -> String {
    if function.len() <= LONGEST_IN_FILE {
        return function.to_owned();
    }
    // FNV-1a.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let number = function.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    let start: String = function.chars().take(LONGEST_IN_FILE - 17).collect();
    format!("{start}_{number:016x}")
}

/// Names for tests, unique and in order.
pub fn test_names(function: &str, goals: &[Option<String>]) -> Vec<String> {
    let name = |goal: &Option<String>| {
        let what = goal.as_deref().map(identifier).unwrap_or_default();
        // Room for a number that tells it from others.
        let room = LONGEST.saturating_sub("test_".len() + function.len() + 4);
        if what.is_empty() {
            format!("test_{function}")
        } else {
            format!("test_{function}_{}", shortened(&what, room))
        }
    };
    unique(goals.iter().map(name))
}

fn unique(bases: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for base in bases {
        let mut name = base.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// What a test shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Behavior {
    /// A goal that it covers, in words.
    pub goal: Option<String>,
    /// How the call ends: `returns_NULL`.
    pub outcome: Option<String>,
}

/// Names of tests by what the function does and when: `test_f__returns_2_if_x_lt_0`. What all tests have in common tells
/// nothing and is left out.
pub fn behavior_names(function: &str, tests: &[Behavior]) -> Vec<String> {
    let is_same = tests.len() > 1 && tests.iter().all(|test| test.outcome == tests[0].outcome);
    let function: String = function.chars().take(LONGEST_FUNCTION).collect();
    let room = LONGEST.saturating_sub("test___".len() + function.len() + 3);
    let name = |test: &Behavior| {
        let condition = test.goal.as_deref().map(condition).unwrap_or_default();
        let outcome = test.outcome.clone().filter(|_| !is_same).unwrap_or_default();
        let what = match (outcome.is_empty(), condition.is_empty()) {
            (true, true) => return format!("test_{function}"),
            (true, false) => first_words(&condition, room),
            (false, true) => first_words(&outcome, room),
            (false, false) => {
                // Half a condition tells something else than the whole: that comes before the outcome.
                let both = format!("{outcome}_if_{condition}");
                if both.len() <= room { both } else { first_words(&condition, room) }
            }
        };
        format!("test_{function}__{what}")
    };
    unique(tests.iter().map(name))
}

/// Longer names of functions are cut in names of tests.
const LONGEST_FUNCTION: usize = 36;

/// As many words as fit; of a single long one, its start. Words that ask for another are no last ones.
fn first_words(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let mut words: Vec<&str> = Vec::new();
    let mut length = 0;
    for word in text.split('_') {
        length += word.len() + usize::from(!words.is_empty());
        if length > room {
            break;
        }
        words.push(word);
    }
    const OPEN: [&str; 14] = [
        "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "plus", "minus", "times", "mod",
        "is",
    ];
    while words.last().is_some_and(|word| OPEN.contains(word) || word.is_empty()) {
        words.pop();
    }
    if words.is_empty() { text.chars().take(room).collect() } else { words.join("_") }
}

/// An expression without conversions to types that their names tell: `isspace((unsigned char)*s)`.
fn without_casts(text: &str) -> String {
    const WORDS: [&str; 10] =
        ["unsigned", "signed", "char", "short", "int", "long", "float", "double", "const", "void"];
    let is_type = |inside: &str| {
        let mut words = inside.split([' ', '*']).filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(|word| WORDS.contains(&word) || word.ends_with("_t"))
    };
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        let (before, bracket) = rest.split_at(at);
        out.push_str(before);
        let is_call = out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        rest = &bracket[1..];
        match rest.split_once(')') {
            Some((inside, after)) if !is_call && is_type(inside) => rest = after,
            Some(_) | None => out.push('('),
        }
    }
    out + rest
}

/// When a goal is reached, as an identifier: the condition that holds.
pub(crate) fn condition(goal: &str) -> String {
    let goal = &without_casts(goal);
    if let Some(holding) = goal.strip_suffix(" is true") {
        return nulls(&identifier(holding));
    }
    if let Some(failing) = goal.strip_suffix(" is false") {
        return nulls(&identifier(&opposite(failing)));
    }
    match goal.as_str() {
        "it is called" => String::new(),
        "no case is taken" => "no_case".to_owned(),
        goal => identifier(goal.strip_suffix(" is taken").unwrap_or(goal)),
    }
}

fn nulls(words: &str) -> String {
    let words = words.replace("_eq_NULL", "_is_null").replace("_ne_NULL", "_is_not_null");
    words.replace("_eq_null", "_is_null").replace("_ne_null", "_is_not_null")
}

/// A comparison the other way round; anything else with a `!`.
fn opposite(condition: &str) -> String {
    const PAIRS: [(&str, &str); 6] = [
        (" == ", " != "),
        (" != ", " == "),
        (" <= ", " > "),
        (" >= ", " < "),
        (" < ", " >= "),
        (" > ", " <= "),
    ];
    let found: Vec<(usize, &(&str, &str))> = PAIRS
        .iter()
        .flat_map(|pair| condition.match_indices(pair.0).map(move |(at, _)| (at, pair)))
        .collect();
    let is_joined = condition.contains("&&") || condition.contains("||");
    // What stands in brackets decides something else.
    let is_inside = |at: usize| {
        let before = &condition[..at];
        before.matches(['(', '[']).count() != before.matches([')', ']']).count()
    };
    match (found.as_slice(), condition.strip_prefix('!')) {
        ([(at, (operator, other))], _) if !is_joined && !is_inside(*at) => {
            condition.replacen(operator, other, 1)
        }
        ([], Some(inner)) if !is_joined => inner.to_owned(),
        // Not the word: a `*` behind it would multiply.
        (_, _) => format!("! {condition}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Behavior, behavior_names, identifier, test_names};

    fn named(function: &str, tests: &[(&str, &str)]) -> Vec<String> {
        let behavior = |&(outcome, goal): &(&str, &str)| Behavior {
            goal: Some(goal.to_owned()),
            outcome: Some(outcome.to_owned()).filter(|outcome| !outcome.is_empty()),
        };
        behavior_names(function, &tests.iter().map(behavior).collect::<Vec<_>>())
    }

    #[test]
    fn names_tell_what_happens_and_when() {
        let tests = [
            ("returns_E_NULL", "p == NULL is true"),
            ("returns_0", "n <= 3 is false"),
            ("returns_0", "n <= 3 is false"),
            ("returns_null", "!p->next is false"),
            ("exits_1", "a && b is false"),
            ("returns_2", "case STATE_IDLE is taken"),
            ("returns_4", "ask(x, 1) == 3 is false"),
            ("returns_5", "ask(x == 3) is false"),
            ("returns_6", "isspace((unsigned char)(*s)) is true"),
            ("returns_7", "(size_t)n < sizeof(int) is true"),
            ("returns_8", "*root is false"),
            ("returns_3", "it is called"),
        ];
        assert_eq!(
            named("f", &tests),
            [
                "test_f__returns_E_NULL_if_p_is_null",
                "test_f__returns_0_if_n_gt_3",
                "test_f__returns_0_if_n_gt_3_2",
                "test_f__returns_null_if_p_next",
                "test_f__exits_1_if_not_a_and_b",
                "test_f__returns_2_if_case_STATE_IDLE",
                "test_f__returns_4_if_ask_x_1_ne_3",
                "test_f__returns_5_if_not_ask_x_eq_3",
                "test_f__returns_6_if_isspace_at_s",
                "test_f__returns_7_if_n_lt_sizeof_int",
                "test_f__returns_8_if_not_at_root",
                "test_f__returns_3",
            ]
        );
        // What is the same everywhere tells nothing.
        assert_eq!(
            named("f", &[("returns_0", "x is true"), ("returns_0", "x is false")]),
            ["test_f__x", "test_f__not_x"]
        );
    }

    #[test]
    fn names_by_behavior_are_short() {
        let long = "parser->tokens[parser->toknext].start != -1 && parser->size > 3 is true";
        let function = "a_function_with_a_name_that_goes_on_and_on_until_no_one_reads_it";
        for function in ["jsmn_parse", "heatshrink_decoder_poll", function] {
            let tests =
                [("returns_HSDR_POLL_ERROR_UNKNOWN", long), ("returns_0", long), ("", long)];
            let names = named(function, &[&tests[..], &tests[..]].concat());
            assert!(names.iter().all(|name| name.len() <= 60), "{names:?}");
            let different: std::collections::BTreeSet<&String> = names.iter().collect();
            assert_eq!(different.len(), names.len());
        }
    }

    #[test]
    fn operators_become_words() {
        assert_eq!(identifier("i <= 0 is true"), "i_le_0_is_true");
        assert_eq!(identifier("p->x != 'a' is false"), "p_x_ne_a_is_false");
        assert_eq!(identifier("*p * 2 > n-- is true"), "at_p_times_2_gt_n_less_is_true");
    }

    #[test]
    fn long_names_keep_what_became_of_the_condition() {
        let long = "parser->tokens[parser->toknext].start != -1 && parser->size > 3 is false";
        let names = test_names("jsmn_parse", &[Some(long.to_owned())]);
        assert_eq!(names, ["test_jsmn_parse_parser_tokens_parser_toknext_is_false"]);
        assert!(names[0].len() <= 60);
    }

    #[test]
    fn names_are_unique() {
        let goals = [Some("x is true".to_owned()), Some("x is true".to_owned()), None];
        assert_eq!(test_names("f", &goals), ["test_f_x_is_true", "test_f_x_is_true_2", "test_f"]);
    }
}
