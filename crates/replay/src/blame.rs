//! What a compiler refuses, and which test is to blame.

use std::collections::BTreeMap;

/// The line that says why, without the folder in which the compiler worked.
pub(crate) fn first(output: &str) -> &str {
    let says = |line: &&str| line.contains("error:") || line.contains("undefined reference");
    let line = output.lines().find(says).or(output.lines().last());
    line.map_or("the compiler says nothing", str::trim)
}

/// The words of a compiler with one name for its temporary files, which have another one each time.
pub(crate) fn without_temporaries(output: &str) -> String {
    const NAME: &str = "cc";
    const N_RANDOM: usize = 6;
    let mut rest = output;
    let mut text = String::with_capacity(output.len());
    while let Some(at) = rest.find(&format!("/{NAME}")) {
        let (before, name) = rest.split_at(at + 1 + NAME.len());
        text.push_str(before);
        rest = name;
        let is_random = name.bytes().take(N_RANDOM).filter(u8::is_ascii_alphanumeric).count();
        if is_random == N_RANDOM && name.as_bytes().get(N_RANDOM) == Some(&b'.') {
            text.push_str("XXXXXX");
            rest = &name[N_RANDOM..];
        }
    }
    text.push_str(rest);
    text
}

/// Tests of `test.c`, whose text is given, in which the compiler or the linker finds errors: position among `names`
/// and the words about it.
pub(crate) fn tests(output: &str, text: &str, names: &[&str]) -> BTreeMap<usize, String> {
    // By test: the line of its head.
    let heads: BTreeMap<usize, usize> = (1..)
        .zip(text.lines())
        .filter_map(|(number, line)| {
            let name = line.strip_prefix("static void ")?.strip_suffix("(void)")?;
            Some((number, names.iter().position(|known| *known == name)?))
        })
        .collect();
    let end = text.lines().position(|line| line.starts_with("static const glassbox_test "));
    let mut blamed = BTreeMap::new();
    let mut linked = None;
    for line in output.lines() {
        if let Some((_, rest)) = line.split_once("in function `") {
            let name = rest.split('\'').next().unwrap_or_default();
            linked = names.iter().position(|known| *known == name);
        }
        if let (true, Some(test)) = (line.contains("undefined reference"), linked) {
            blamed.entry(test).or_insert_with(|| line.trim().to_owned());
        }
        let Some(rest) = line.strip_prefix("test.c:").filter(|_| line.contains("error:")) else {
            continue;
        };
        let number = rest.split(':').next().and_then(|number| number.parse::<usize>().ok());
        let Some(number) = number.filter(|number| end.is_none_or(|end| *number <= end)) else {
            continue;
        };
        if let Some((_, test)) = heads.range(..=number).next_back() {
            blamed.entry(*test).or_insert_with(|| line.trim().to_owned());
        }
    }
    blamed
}

#[cfg(test)]
mod tests {
    use super::{first, tests, without_temporaries};

    #[test]
    fn temporary_files_have_one_name() {
        let said =
            "/tmp/ccXvKfVD.s:5: Error: no b.bin\nld: /t/cc12AbZ9.ltrans0.o: in /cc/cca.c /ccé.";
        let plain =
            "/tmp/ccXXXXXX.s:5: Error: no b.bin\nld: /t/ccXXXXXX.ltrans0.o: in /cc/cca.c /ccé.";
        assert_eq!(without_temporaries(said), plain);
        assert_eq!(without_temporaries("/cc"), "/cc");
    }

    #[test]
    fn errors_are_those_of_the_test_they_stand_in() {
        let text = "int x;\nstatic void test_a(void)\n{\n    bad;\n}\n\nstatic void test_b(void)\n{\n}\n\
                    static const glassbox_test glassbox_tests[] = {\n";
        let names = ["test_b", "test_a"];
        let output = "test.c: In function 'test_a':\ntest.c:4:5: error: 'bad' undeclared\n";
        let blamed = tests(output, text, &names);
        assert_eq!(blamed.len(), 1);
        assert_eq!(blamed[&1], "test.c:4:5: error: 'bad' undeclared");
        assert!(tests("test.c:1:1: error: no\ntest.c:10:2: error: no", text, &names).is_empty());
        let linker =
            "ld: test.o: in function `test_b':\ntest.c:(.text+0x1): undefined reference to `g'";
        assert_eq!(tests(linker, text, &names).len(), 1);
        assert_eq!(first(linker), "test.c:(.text+0x1): undefined reference to `g'");
    }
}
