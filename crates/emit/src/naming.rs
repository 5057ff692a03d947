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

/// Names for tests, unique and in order.
pub fn test_names(function: &str, goals: &[Option<String>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for goal in goals {
        let what = goal.as_deref().map(identifier).unwrap_or_default();
        // Room for a number that tells it from others.
        let room = LONGEST.saturating_sub("test_".len() + function.len() + 4);
        let base = if what.is_empty() {
            format!("test_{function}")
        } else {
            format!("test_{function}_{}", shortened(&what, room))
        };
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

#[cfg(test)]
mod tests {
    use super::{identifier, test_names};

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
