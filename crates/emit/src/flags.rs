//! Compiler flags of a project, by whom they concern: the source under test, the runtime of tests, the linker.
//!
//! A project's flags are made for its own sources. The runtime of tests wants none of its macros, headers and
//! dialects, only what both must agree on; and a test file may say more than a strict dialect allows.

/// Flags in the order in which they were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// For test files, which include the source under test.
    pub unit: Vec<String>,
    /// The same for text that has been preprocessed.
    pub preprocessed: Vec<String>,
    /// For the runtime of tests.
    pub runtime: Vec<String>,
    /// For the linker.
    pub link: Vec<String>,
}

/// Whom a flag concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Concern {
    /// Nothing: what to make of the source, where to put it, what to warn of.
    Ignored,
    Preprocessor,
    Language,
    /// All code of one program, and the linker.
    Everybody,
    Linker,
}

/// Flags whose value may be the next word.
const WITH_VALUE: &[(&str, Concern)] = &[
    ("-D", Concern::Preprocessor),
    ("-I", Concern::Preprocessor),
    ("-L", Concern::Linker),
    ("-MF", Concern::Ignored),
    ("-MQ", Concern::Ignored),
    ("-MT", Concern::Ignored),
    ("-T", Concern::Ignored),
    ("-U", Concern::Preprocessor),
    ("-Xlinker", Concern::Linker),
    ("-idirafter", Concern::Preprocessor),
    ("-imacros", Concern::Preprocessor),
    ("-include", Concern::Preprocessor),
    ("-iquote", Concern::Preprocessor),
    ("-isysroot", Concern::Preprocessor),
    ("-isystem", Concern::Preprocessor),
    ("-l", Concern::Linker),
    ("-o", Concern::Ignored),
    ("-target", Concern::Everybody),
    ("-x", Concern::Ignored),
    ("-z", Concern::Linker),
];

/// How flags begin; the first that fits counts.
const BEGINNINGS: &[(&str, Concern)] = &[
    ("-Wl,", Concern::Linker),
    ("-Wp,", Concern::Preprocessor),
    ("-Wa,", Concern::Language),
    ("-W", Concern::Ignored),
    ("-pedantic", Concern::Ignored),
    ("--pedantic", Concern::Ignored),
    ("-save-temps", Concern::Ignored),
    ("-fsyntax-only", Concern::Ignored),
    ("-fdiagnostics", Concern::Ignored),
    ("-fmax-errors", Concern::Ignored),
    ("-flto", Concern::Ignored),
    ("-fno-lto", Concern::Ignored),
    ("-M", Concern::Ignored),
    // What the runtime itself asks for.
    ("-DGLASSBOX_", Concern::Everybody),
    ("-D", Concern::Preprocessor),
    ("-I", Concern::Preprocessor),
    ("-U", Concern::Preprocessor),
    ("-isystem", Concern::Preprocessor),
    ("-iquote", Concern::Preprocessor),
    ("-nostdinc", Concern::Preprocessor),
    ("-undef", Concern::Preprocessor),
    ("--sysroot", Concern::Preprocessor),
    ("-L", Concern::Linker),
    ("-l", Concern::Linker),
    ("-m", Concern::Everybody),
    ("--target", Concern::Everybody),
    ("-O", Concern::Everybody),
    ("-g", Concern::Everybody),
    ("--coverage", Concern::Everybody),
    ("-coverage", Concern::Everybody),
    ("-fprofile", Concern::Everybody),
    ("-ftest-coverage", Concern::Everybody),
    ("-fsanitize", Concern::Everybody),
    ("-fno-sanitize", Concern::Everybody),
    ("-fPI", Concern::Everybody),
    ("-fpi", Concern::Everybody),
    ("-fno-pi", Concern::Everybody),
    ("-fno-PI", Concern::Everybody),
    ("-pie", Concern::Everybody),
    ("-no-pie", Concern::Everybody),
    ("-pthread", Concern::Everybody),
    ("-static", Concern::Everybody),
    ("-fpack-struct", Concern::Everybody),
    ("-fshort-enums", Concern::Everybody),
];

/// Flags that are one of these and no more.
const WHOLE: &[(&str, Concern)] = &[
    ("-E", Concern::Ignored),
    ("-S", Concern::Ignored),
    ("-c", Concern::Ignored),
    ("-nodefaultlibs", Concern::Ignored),
    ("-nolibc", Concern::Ignored),
    ("-nostartfiles", Concern::Ignored),
    ("-nostdlib", Concern::Ignored),
    ("-pipe", Concern::Ignored),
    ("-r", Concern::Ignored),
    ("-rdynamic", Concern::Linker),
    ("-shared", Concern::Ignored),
    ("-v", Concern::Ignored),
    ("-w", Concern::Ignored),
];

fn concern(flag: &str) -> Concern {
    // Objects and libraries.
    if !flag.starts_with('-') {
        return Concern::Linker;
    }
    let whole = WHOLE.iter().find(|(text, _)| *text == flag);
    let found = whole.or_else(|| BEGINNINGS.iter().find(|(start, _)| flag.starts_with(start)));
    found.map_or(Concern::Language, |(_, concern)| *concern)
}

/// Divides the flags with which a project compiles a file.
pub fn split(flags: &[String]) -> Flags {
    let mut all = Flags::default();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        let valued = WITH_VALUE.iter().find(|(text, _)| text == flag);
        let concern = valued.map_or_else(|| concern(flag), |(_, concern)| *concern);
        let mut group = vec![flag.clone()];
        if valued.is_some() {
            group.extend(words.next().cloned());
        }
        let takers: &mut [&mut Vec<String>] = match concern {
            Concern::Ignored => &mut [],
            Concern::Preprocessor => &mut [&mut all.unit],
            Concern::Language => &mut [&mut all.unit, &mut all.preprocessed],
            Concern::Everybody => {
                &mut [&mut all.unit, &mut all.preprocessed, &mut all.runtime, &mut all.link]
            }
            Concern::Linker => &mut [&mut all.link],
        };
        for taker in takers {
            taker.extend(group.iter().cloned());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn everyone_gets_the_flags_that_concern_him() {
        let words = "-c -std=c99 -pedantic-errors -Werror -DX=1 -I inc -include pre.h -nostdinc -m64 -O2 \
                     -o a.o -MD -MF a.d -L lib -lfoo -Wl,--as-needed -ffreestanding -fsanitize=address";
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let flags = split(&words);
        let joined = |flags: &[String]| flags.join(" ");
        assert_eq!(
            joined(&flags.unit),
            "-std=c99 -DX=1 -I inc -include pre.h -nostdinc -m64 -O2 -ffreestanding \
             -fsanitize=address"
        );
        let preprocessed = "-std=c99 -m64 -O2 -ffreestanding -fsanitize=address";
        assert_eq!(joined(&flags.preprocessed), preprocessed);
        assert_eq!(joined(&flags.runtime), "-m64 -O2 -fsanitize=address");
        assert_eq!(joined(&flags.link), "-m64 -O2 -L lib -lfoo -Wl,--as-needed -fsanitize=address");
    }
}
