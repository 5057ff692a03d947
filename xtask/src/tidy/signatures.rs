//! At most six arguments, and a tuple is no way round: what stands in one counts.

use super::Complaint;

const MAX_VALUES: usize = 6;

pub(super) fn check(name: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (at, _) in text.match_indices("fn ") {
        let Some((function, params)) = signature(&text[at + "fn ".len()..]) else { continue };
        let types = params.iter().map(|param| param.split_once(": ").map_or("", |(_, ty)| ty));
        let counts: Vec<usize> = types.map(values_in).collect();
        let n_values: usize = counts.iter().sum();
        if n_values > MAX_VALUES && counts.iter().any(|&count| count > 1) {
            let line = text[..at].lines().count();
            complaints.push(format!(
                "{name}:{line}: `{function}` takes {n_values} values, some in tuples; name what they are together"
            ));
        }
    }
    complaints
}

/// How many values a parameter of this type is: those of a tuple, else one.
fn values_in(ty: &str) -> usize {
    match ty.trim().strip_prefix('(').and_then(|ty| ty.strip_suffix(')')) {
        Some(parts) => split(parts).len(),
        None => 1,
    }
}

/// A function's name and its parameters, from the text behind `fn`.
fn signature(text: &str) -> Option<(&str, Vec<&str>)> {
    let open = text.find('(')?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c| !is_name(c)).filter(|&end| end > 0)?;
    // Bounds of type parameters may have parentheses of their own.
    let generics = text[end..open].matches('<').count();
    if generics > 0 && text[end..open].matches('>').count() != generics {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some((&text[..end], split(&text[open + 1..open + at]))),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands between the commas that are not inside of brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts, mut before) = (0_i32, 0, Vec::new(), ' ');
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '-' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(&list[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn tuples_count_as_what_they_hold() {
        let complaints =
            |params: &str| check("crates/x/src/y.rs", &format!("fn f({params}) {{}}")).len();
        assert_eq!(complaints("a: u8, b: (u8, u8), c: (u8, u8, u8)"), 0);
        assert_eq!(complaints("a: u8, b: (u8, u8), c: (u8, u8, u8), d: u8"), 1);
        assert_eq!(
            complaints("a: u8, b: &[(u8, u8)], c: fn(u8, u8) -> u8, d: u8, e: u8, f: u8"),
            0
        );
    }
}
