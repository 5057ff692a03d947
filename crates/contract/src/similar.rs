//! What somebody may have meant by a name that does not exist.

/// How much alike two words have to be; the same as for options of the command line.
const ENOUGH: f64 = 0.7;

/// The known name that is most like this one, if one is like it at all.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let alike = known.into_iter().map(|other| (strsim::jaro(name, other), other));
    let best = alike.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness > ENOUGH).map(|(_, other)| other)
}

/// A help that offers the name that was meant, and names all there are.
pub fn help(name: &str, known: &[&str]) -> String {
    let verb = if known.len() == 1 { "is" } else { "are" };
    let all = format!("there {verb}: {}", known.join(", "));
    match closest(name, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`? {all}"),
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use super::{closest, help};

    #[test]
    fn slips_of_the_pen_are_recognized() {
        let known = ["require", "ensure", "range"];
        assert_eq!(closest("requires", known), Some("require"));
        assert_eq!(closest("rnage", known), Some("range"));
        assert_eq!(closest("speed", known), None);
        let both = "did you mean `ensure`? there are: require, ensure, range";
        assert_eq!(help("ensures", &known), both);
        assert_eq!(help("speed", &["invariant"]), "there is: invariant");
    }
}
