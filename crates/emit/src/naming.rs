//! Names of tests: what they reach, as an identifier.

/// An identifier made of words of `text`: letters and digits stay, operators become words.
pub fn identifier(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
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
            ('+', _) => " plus ",
            ('*', _) => " times ",
            ('-', _) => " minus ",
            (letter, _) if letter.is_ascii_alphanumeric() || letter == '_' => {
                words.push(letter);
                continue;
            }
            _ => " ",
        };
        words.push_str(word);
    }
    let joined: Vec<&str> = words.split_whitespace().collect();
    let mut name = joined.join("_");
    name.truncate(60);
    name.trim_end_matches('_').to_owned()
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
        let base = if what.is_empty() {
            format!("test_{function}")
        } else {
            format!("test_{function}_{what}")
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
    }

    #[test]
    fn names_are_unique() {
        let goals = [Some("x is true".to_owned()), Some("x is true".to_owned()), None];
        assert_eq!(test_names("f", &goals), ["test_f_x_is_true", "test_f_x_is_true_2", "test_f"]);
    }
}
