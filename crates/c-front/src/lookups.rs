//! What a preprocessor looks for while it reads a file: which headers, in which folders, and what it finds.
//!
//! With it, somebody who kept a preprocessed text can say whether the preprocessor would make the same text again
//! without starting it. In doubt there is no answer: a header whose name is put together by macros, a text with a date in
//! it, messages that are not those of gcc.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// What one source file asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Names of headers that it includes, or asks whether they exist; also those in comments and in branches that are not
    /// taken.
    pub names: BTreeSet<String>,
    /// Whether it may be included once only, so that other files with the same content count.
    pub is_once: bool,
}

/// Words before the name of a header, behind `#`.
const INCLUDING: [&str; 3] = ["include", "include_next", "import"];

/// Words whose argument is the name of a header that may not exist.
const ASKING: [&str; 4] =
    ["__has_include", "__has_include_next", "__has_include__", "__has_include_next__"];

/// What a file asks for. `None` where its text does not say it.
pub fn asked(text: &[u8]) -> Option<Asked> {
    let has = |what: &[u8]| text.windows(what.len()).any(|window| window == what);
    // Other ways to write `#` and the backslash at the end of a line.
    if has(b"??=") || has(b"??/") {
        return None;
    }
    let text = without_splices(text);
    let mut asked = Asked::default();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_of_word(**byte)).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let (before, rest) = (&text[..at], &text[at + length..]);
        at += length;
        let Ok(word) = std::str::from_utf8(&text[at - length..at]) else { continue };
        // Comments say the word, too.
        let is_said = word == "once" && is_pragma(before);
        // A comment may stand between the two.
        let is_directive = matches!(before.trim_ascii_end().last(), Some(b'#' | b':' | b'/'));
        asked.is_once |= is_said || (word == "import" && is_directive);
        let start = at - length;
        let found = if INCLUDING.contains(&word) && is_directive {
            header(rest).map(Some)
        } else if ASKING.contains(&word) {
            match rest.trim_ascii_start().strip_prefix(b"(") {
                Some(argument) => header(argument).map(Some),
                None => is_asked_about(before).then_some(None),
            }
        } else {
            (!is_unknown(word, is_directive)).then_some(None)
        };
        match found {
            Some(name) => asked.names.extend(name),
            // Headers of the system speak of `#include` in their comments.
            None if is_in_comment(&text, start) => {}
            None => return None,
        }
    }
    Some(asked)
}

/// Whether a place is in a comment between `/*` and `*/` for certain. The text has no spliced lines.
fn is_in_comment(text: &[u8], place: usize) -> bool {
    let has = |what: &[u8]| text.windows(what.len()).any(|window| window == what);
    // Texts in which a quote does not end with its line, and names of headers that look like comments.
    let is_odd = has(b"R\"") || text.split(|byte| *byte == b'\n').any(has_odd_name);
    let mut at = 0;
    while at < place && !is_odd {
        let rest = &text[at..];
        if rest.starts_with(b"/*") {
            let length = rest[2..].windows(2).position(|end| end == b"*/").map(|end| end + 4);
            let end = length.map_or(text.len(), |length| at + length);
            if place < end {
                return true;
            }
            at = end;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        } else if let [quote @ (b'"' | b'\''), ..] = rest {
            at += quoted(rest, *quote);
        } else {
            at += 1;
        }
    }
    false
}

/// Whether a line may have the name of a header with the start of a comment in it. Others have addresses of licenses in them.
fn has_odd_name(line: &[u8]) -> bool {
    let has = |what: &str| line.windows(what.len()).any(|window| window == what.as_bytes());
    if !INCLUDING.iter().chain(&ASKING).any(|word| has(word)) {
        return false;
    }
    let name = line.iter().position(|byte| *byte == b'<').map(|at| &line[at..]).unwrap_or_default();
    let name = &name[..name.iter().position(|byte| *byte == b'>').unwrap_or(name.len())];
    name.windows(2).any(|two| two == b"/*" || two == b"//")
}

/// The length of a literal, which ends with its line.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' if text.get(at + 1) != Some(&b'\n') => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Words that look for files in other ways, and pieces that macros may put together to one.
fn is_unknown(word: &str, is_directive: bool) -> bool {
    // `__` alone is a piece of many names.
    let is_piece = |whole: &str, last: &str| {
        let is_start = word.len() > 2 && whole.starts_with(word);
        let is_end = word.len() > last.len() && whole.ends_with(word);
        is_start || is_end || (word.contains("has_") && whole.contains(word))
    };
    is_piece("__has_include", "include")
        || is_piece("__has_include_next", "include_next")
        || is_piece("__has_embed", "embed")
        || word == "pch_preprocess"
        || (word == "embed" && is_directive)
}

/// Whether a text ends where the word of a pragma may follow.
fn is_pragma(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    before.ends_with(b"pragma") || matches!(before.last(), Some(b'"' | b'(' | b'/'))
}

/// Whether a text ends in the question whether a macro exists.
fn is_asked_about(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
    ["ifdef", "ifndef", "defined"].iter().any(|word| before.ends_with(word.as_bytes()))
}

/// The name at the start of a text, between `<` and `>` or quotes.
fn header(text: &[u8]) -> Option<String> {
    let (first, rest) = text.trim_ascii_start().split_first()?;
    let end = match first {
        b'<' => b'>',
        b'"' => b'"',
        _ => return None,
    };
    let length = rest.iter().position(|byte| *byte == end || *byte == b'\n')?;
    if rest[length] == b'\n' {
        return None;
    }
    String::from_utf8(rest[..length].to_vec()).ok()
}

/// The text with its lines joined that end in a backslash.
fn without_splices(text: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\\' {
            let blanks = text[at + 1..].iter().take_while(|byte| b" \t\r\x0b\x0c".contains(*byte));
            let end = at + 1 + blanks.count();
            if text.get(end) == Some(&b'\n') {
                at = end + 1;
                continue;
            }
        }
        joined.push(text[at]);
        at += 1;
    }
    joined
}

/// Flags that only say what they say: none of them names a file that is read in another way than headers are.
const PLAIN: [&str; 6] = ["-ansi", "-nostdinc", "-pedantic", "-pipe", "-pthread", "-w"];

/// The beginnings of more of them.
const PLAIN_STARTS: [&str; 15] = [
    "-D",
    "-I",
    "-L",
    "-O",
    "-U",
    "-W",
    "-f",
    "-g",
    "-idirafter",
    "-include",
    "-iquote",
    "-isystem",
    "-l",
    "-m",
    "-std=",
];

/// What makes flags with such a beginning say more: other programs, other settings, the machine that this is, and pieces of
/// names that the preprocessor looks for.
const NOT_PLAIN: [&str; 11] = [
    "-Wp,",
    "-imacros",
    "native",
    "plugin",
    "module",
    "pch",
    "preprocessed",
    "directives-only",
    "__has",
    "-I-",
    "@",
];

/// Flags whose argument may be a word of its own.
const WITH_WORD: [&str; 9] =
    ["-D", "-I", "-L", "-U", "-idirafter", "-include", "-iquote", "-isystem", "-l"];

/// The headers that flags name; `None` where the text depends on more than headers.
pub fn named_by(flags: &[String]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        let is_plain = (PLAIN.contains(&flag.as_str())
            || PLAIN_STARTS.iter().any(|start| flag.starts_with(start)))
            && !NOT_PLAIN.iter().any(|part| flag.contains(part));
        if !is_plain {
            return None;
        }
        let word = match WITH_WORD.contains(&flag.as_str()) {
            true => words.next()?.as_str(),
            false => flag.strip_prefix("-include").unwrap_or_default(),
        };
        if word.contains("__has") || word == "-" {
            return None;
        }
        if flag.starts_with("-include") {
            names.push(word.to_owned());
        }
    }
    Some(names)
}

/// The files that a preprocessed text says to have been read, without the first. `None` where a name is not plain.
pub fn entered(preprocessed: &[u8]) -> Option<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for line in preprocessed.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"# ")) {
        let line = std::str::from_utf8(line).ok()?;
        let Some((_, rest)) = line.split_once('"') else { continue };
        let (name, flags) = rest.rsplit_once('"')?;
        let is_entered = flags.split(' ').any(|flag| flag == "1");
        let is_file = !name.starts_with('<');
        if !is_entered || !is_file {
            continue;
        }
        if name.contains(['\\', '"']) {
            return None;
        }
        files.insert(PathBuf::from(name));
    }
    Some(files)
}

/// What gcc says about itself with `-v`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GccSetup {
    /// Where it looks for headers, and where it would if the folders were there.
    pub folders: Vec<PathBuf>,
    /// Where it looks for its own parts and their settings.
    pub own_folders: Vec<PathBuf>,
    /// The program that does the work.
    pub worker: PathBuf,
}

/// Reads what gcc says. `None` where somebody else speaks, or gcc follows settings that are not its own.
pub fn gcc_setup(said: &[u8]) -> Option<GccSetup> {
    let said = std::str::from_utf8(said).ok()?;
    let mut setup = GccSetup::default();
    let (mut is_plain, mut is_gcc, mut is_list) = (false, false, false);
    for line in said.lines() {
        is_plain |= line == "Using built-in specs.";
        is_gcc |= line.starts_with("gcc version ");
        if line.ends_with("search starts here:") {
            is_list = true;
        } else if line == "End of search list." {
            is_list = false;
        } else if let Some(folder) = line.strip_prefix(' ').filter(|_| is_list) {
            setup.folders.push(PathBuf::from(folder));
        } else if let Some(rest) = line.strip_prefix("ignoring ") {
            let folder = rest.split('"').nth(1)?;
            setup.folders.push(PathBuf::from(folder));
        } else if let Some((name, list)) = line.split_once("_PATH=") {
            if name == "COMPILER" || name == "LIBRARY" {
                setup.own_folders.extend(list.split(':').map(PathBuf::from));
            }
        } else if let Some((program, _)) =
            line.strip_prefix(' ').and_then(|it| it.split_once(" -E "))
        {
            setup.worker = PathBuf::from(program);
        }
    }
    let is_known = is_plain && is_gcc && !is_list && setup.worker.is_absolute();
    (is_known && !setup.folders.is_empty()).then_some(setup)
}

/// Whether a preprocessed text has something in it that is written like a time of day or a day of a year, as `__DATE__`
/// and its likes become, however they come about.
pub fn has_date(preprocessed: &[u8]) -> bool {
    let is_time = |at: usize| {
        // 12:34:56
        preprocessed.get(at.wrapping_sub(2)..at + 6).is_some_and(|window| {
            window.iter().enumerate().all(|(place, byte)| match place {
                2 | 5 => *byte == b':',
                _ => byte.is_ascii_digit() || *byte == b'?',
            })
        })
    };
    let is_day = |at: usize| {
        // Nov 18 2026, Nov  8 2026
        preprocessed.get(at..at + 11).is_some_and(|window| {
            MONTHS.iter().any(|month| window.starts_with(month.as_bytes()))
                && window[3] == b' '
                && window[6] == b' '
                && window[7..].iter().all(u8::is_ascii_digit)
        })
    };
    let mut places = preprocessed.iter().enumerate();
    places.any(|(at, byte)| match byte {
        b':' => is_time(at),
        b'A' | b'D' | b'F' | b'J' | b'M' | b'N' | b'O' | b'S' => is_day(at),
        b'?' => preprocessed[at..].starts_with(b"??? ?? "),
        _ => false,
    })
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<String>> {
        asked(text.as_bytes()).map(|asked| asked.names.into_iter().collect())
    }

    #[test]
    fn names_of_headers_are_found_wherever_they_stand() {
        let text = "#include <a.h>\n  # /* why */ include \"b.h\"\n%: include_next <c.h>\n\
            #inc\\\nlude <d/e.h>\n#if defined(__has_include) && __has_include(\"f.h\")\n#endif\n\
            #ifdef __has_include\n#endif\n/* #include <g.h> */ const char *include = \"x\";\n";
        let wanted = ["a.h", "b.h", "c.h", "d/e.h", "f.h", "g.h"];
        assert_eq!(names(text), Some(wanted.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_macros_name_is_not_known() {
        for text in [
            "#include NAME\n",
            "#include /**/ NAME\n",
            "#define HAS(x) __has_include(x)\n",
            "#define HAS __has_include\n",
            "#if P(__has_, include)(<a.h>)\n",
            "#if P(__, has_include)(<a.h>)\n",
            "#if P(__ha, s_include)(<a.h>)\n",
            "#if P(P(__, has), _include)(<a.h>)\n",
            "??=include <a.h>\n",
            "#embed \"a.bin\"\n",
            "#include <a.h\n",
        ] {
            assert_eq!(names(text), None, "{text}");
        }
    }

    #[test]
    fn comments_may_speak_of_headers() {
        let text = "/* See <https://www.gnu.org/licenses/>.  */\n/* all the other\n   #include's protect themselves: __has_include, #include_next\n   through */\n\
            char c = '\"'; /* #include NAME */\n#error don't /* embed\n*/\n#include <a.h>\n";
        assert_eq!(names(text), Some(vec!["a.h".to_owned()]));
        for text in [
            "/* */\n#include NAME\n",
            "const char *s = \"/*\";\n#include NAME\n/* */\n",
            "// /*\n#include NAME\n/* */\n",
            "char c = '\\'', d = \"/*\"[0];\n#include NAME\n/* */\n",
            "#include <a/*.h>\n#include NAME\n/* */\n",
            "const char *s = R\"(\n\" /* )\";\n#include NAME\n/* */\n",
            "#error don't\n#include NAME\n",
            "/*/ */\n#include NAME\n",
            "/* \" */\n#include NAME\n/* \" */\n",
        ] {
            assert_eq!(names(text), None, "{text}");
        }
    }

    #[test]
    fn files_that_are_read_once_are_recognized() {
        assert!(asked(b"#pragma once\n").is_some_and(|it| it.is_once));
        assert!(asked(b"_Pragma(\"once\")\n").is_some_and(|it| it.is_once));
        assert!(asked(b"DO(once)\n").is_some_and(|it| it.is_once));
        assert!(asked(b"#pragma /* */ once\n").is_some_and(|it| it.is_once));
        assert!(asked(b"/* only once */ int import;\n").is_some_and(|it| !it.is_once));
    }

    #[test]
    fn flags_that_read_other_files_are_not_plain() {
        let named =
            |flags: &[&str]| named_by(&flags.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        let usual =
            ["-std=gnu11", "-Iinc", "-I", "more", "-DX=1", "-O2", "-Wall", "-fwrapv", "-m32"];
        assert_eq!(named(&usual), Some(Vec::new()));
        assert_eq!(named(&["-include", "a.h"]), Some(vec!["a.h".to_owned()]));
        for flag in [
            "@flags",
            "-march=native",
            "-Wp,-MD,x",
            "-specs=x",
            "-imacros",
            "-x",
            "--config=a",
            "-DH=__has_include",
            "-B/opt",
            "-wrapper",
        ] {
            assert_eq!(named(&[flag, "a"]), None, "{flag}");
        }
    }

    #[test]
    fn dates_are_seen_in_every_form() {
        for text in [
            "\"Nov 18 2026\"",
            "\"Jan  1 1970\"",
            "x\\\"06:03:08\\\"",
            "Wed Nov 18 06:03:08 2026",
            "\"??? ?? ????\"",
        ] {
            assert!(has_date(text.as_bytes()), "{text}");
        }
        for text in ["Nov 18 was", "a ? b : c", "1:2:3", "10::10::10", ":", "Nov", ""] {
            assert!(!has_date(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn files_are_entered() {
        let text = b"# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"/usr/include/x.h\" 1 3 4\n# 2 \"a.c\" 2\n# 1 \"in.h\" 1\n#define X \"y\" 1\n";
        let wanted = ["/usr/include/x.h", "in.h"].map(PathBuf::from);
        assert_eq!(entered(text), Some(BTreeSet::from(wanted)));
        assert_eq!(entered(b"# 1 \"a\\\\b.h\" 1\n"), None);
    }

    #[test]
    fn only_gcc_as_it_comes_is_understood() {
        let said = "Using built-in specs.\ngcc version 12.2.0\n /lib/cc1 -E -quiet a.c\n\
            ignoring nonexistent directory \"/no\"\n#include \"...\" search starts here:\n\
            #include <...> search starts here:\n /usr/include\nEnd of search list.\nLIBRARY_PATH=/lib/:/usr/lib/\n";
        let setup = super::gcc_setup(said.as_bytes()).expect("understood");
        assert_eq!(setup.folders, ["/no", "/usr/include"].map(PathBuf::from));
        assert_eq!(setup.own_folders, ["/lib/", "/usr/lib/"].map(PathBuf::from));
        assert_eq!(setup.worker, PathBuf::from("/lib/cc1"));
        assert_eq!(super::gcc_setup(said.replace("Using built-in", "Reading").as_bytes()), None);
        assert_eq!(super::gcc_setup(said.replace("gcc version", "clang version").as_bytes()), None);
    }
}
