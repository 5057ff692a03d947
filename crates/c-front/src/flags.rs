//! What flags of the C compiler mean for the analysis: harmless ones, those whose meaning is known ([`Meaning`]), and those
//! that change the meaning of a program in a way that is not modeled, which are refused by name.
//!
//! Flags that choose a dialect, a directory or a macro do their work in the preprocessor. All come in one spelling
//! (`spelling`), and only those in a list (`flag_lists`) are accepted.

use std::path::Path;

use glassbox_values::layout::Target;
use glassbox_values::{Machine, Signedness};

use crate::compdb::normal;
use crate::diagnostics::{Diagnostic, SetupProblem};
use crate::flag_lists::{
    AS_ASSUMED, FUSING, HARMLESS, MACHINE, OTHER_MACHINES, OTHERS, PATHS, WITH_VALUE, is_listed,
};

/// What flags say about the meaning of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    pub target: Target,
    /// Signed arithmetic wraps around.
    pub overflow_wraps: bool,
    /// Memory is accessed by the types that it has, or as bytes.
    pub has_effective_types: bool,
    /// Pragmas of OpenMP are followed.
    pub follows_openmp: bool,
    /// Words that are keywords since C23 are keywords.
    pub is_c23: bool,
    /// Integer constants and `inline` mean what they did before C99.
    pub is_c90: bool,
    /// `inline` means what it does in GNU's C90, whatever the language.
    pub has_old_inline: bool,
    /// An optimizer may know values that are no constants of the language.
    pub is_optimized: bool,
    pub floats: Floats,
}

/// How a machine computes with floating numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Floats {
    /// Each operation is rounded to its type.
    #[default]
    Exact,
    /// The x87 keeps more bits than the type has, as long as the compiler likes.
    Excess,
    /// A product that is added to something may be rounded once only.
    Fused,
}

impl Default for Meaning {
    fn default() -> Meaning {
        Meaning {
            target: Target::default(),
            overflow_wraps: false,
            has_effective_types: true,
            follows_openmp: false,
            is_c23: false,
            is_c90: false,
            has_old_inline: false,
            is_optimized: false,
            floats: Floats::default(),
        }
    }
}

impl Meaning {
    /// What units that are linked together have to agree about: pragmas, keywords and optimizers are a matter of each.
    pub fn of_program(self) -> Meaning {
        Meaning {
            follows_openmp: false,
            is_c23: false,
            is_c90: false,
            has_old_inline: false,
            is_optimized: false,
            ..self
        }
    }

    /// Takes over what a flag says; `false` if it is not about this.
    fn take(&mut self, flag: &str) -> bool {
        let target = &mut self.target;
        match flag {
            "-funsigned-char" | "-fno-signed-char" => target.char = Signedness::Unsigned,
            "-fsigned-char" | "-fno-unsigned-char" => target.char = Signedness::Signed,
            "-fshort-enums" => target.enums_are_short = true,
            "-fno-short-enums" => target.enums_are_short = false,
            // A number, wherever it stands, counts more.
            "-fpack-struct" => target.packs_all = target.max_member_align.is_none(),
            "-fno-pack-struct" => target.packs_all = false,
            "-fwrapv" => self.overflow_wraps = true,
            "-fno-wrapv" => self.overflow_wraps = false,
            "-fgnu89-inline" => self.has_old_inline = true,
            "-fno-gnu89-inline" => self.has_old_inline = false,
            "-fstrict-aliasing" => self.has_effective_types = true,
            "-fno-strict-aliasing" => self.has_effective_types = false,
            _ if flag.starts_with("-std=") => {
                let year = flag.trim_start_matches(|c: char| !c.is_ascii_digit());
                self.is_c23 = matches!(year, "2x" | "23" | "2y");
                self.is_c90 = matches!(year, "89" | "90" | "9899:1990" | "9899:199409");
            }
            "-ansi" => (self.is_c23, self.is_c90) = (false, true),
            "-O0" => self.is_optimized = false,
            "-O" | "-O1" | "-O2" | "-O3" | "-Og" | "-Os" | "-Oz" => self.is_optimized = true,
            "-fopenmp" => self.follows_openmp = true,
            "-fno-openmp" => self.follows_openmp = false,
            _ => {
                let bytes = flag.strip_prefix("-fpack-struct=").and_then(|text| text.parse().ok());
                let Some(bytes @ (1 | 2 | 4 | 8 | 16)) = bytes else { return false };
                (target.max_member_align, target.packs_all) = (Some(bytes), false);
            }
        }
        true
    }
}

/// What all flags of a unit say; of two about the same the last one counts.
pub fn meaning(flags: &[String]) -> Meaning {
    let (machine, enums_are_short) = machine(flags).unwrap_or_default();
    let target = Target { enums_are_short, ..Target::of(machine) };
    let floats = floats(machine, flags);
    let mut meaning = Meaning { target, floats, ..Meaning::default() };
    let mut words = flags.iter().map(String::as_str);
    while let Some(flag) = words.next() {
        if WITH_VALUE.contains(&flag) {
            words.next();
        } else {
            meaning.take(flag);
        }
    }
    meaning
}

/// The machine that flags choose, and whether its enumerations are short. `None` for one that is not known.
fn machine(flags: &[String]) -> Option<(Machine, bool)> {
    let (mut machine, mut enums_are_short) = (Machine::default(), false);
    let mut words = flags.iter().map(String::as_str);
    while let Some(flag) = words.next() {
        let triple = match flag {
            "-target" | "--target" => words.next(),
            _ => flag.strip_prefix("--target="),
        };
        if let Some(triple) = triple {
            machine = Machine::of_triple(triple)?;
            enums_are_short = machine.has_short_enums(triple);
        } else if WITH_VALUE.contains(&flag) {
            words.next();
        }
        machine = match (machine, flag) {
            (Machine::X86_64, "-m32") => Machine::I386,
            (Machine::I386, "-m64") => Machine::X86_64,
            // One compiler for both, which is called after the larger one.
            (Machine::RiscV64, _) if flag.starts_with("-mabi=ilp32") => Machine::RiscV32,
            (Machine::RiscV32, _) if flag.starts_with("-mabi=lp64") => Machine::RiscV64,
            _ => machine,
        };
    }
    Some((machine, enums_are_short))
}

fn floats(machine: Machine, flags: &[String]) -> Floats {
    let has = |wanted: &str| flags.iter().any(|flag| flag == wanted);
    match machine {
        Machine::X86_64 => Floats::Exact,
        Machine::I386 if has("-msse2") && has("-mfpmath=sse") => Floats::Exact,
        Machine::I386 => Floats::Excess,
        Machine::Arm | Machine::AArch64 | Machine::RiscV32 | Machine::RiscV64
            if has("-ffp-contract=off") =>
        {
            Floats::Exact
        }
        Machine::Arm | Machine::AArch64 | Machine::RiscV32 | Machine::RiscV64 => Floats::Fused,
    }
}

/// Whether a flag for the assembler or the linker gives a name to something else.
fn renames_symbols(flag: &str) -> bool {
    let of_others = flag.starts_with("-Wl,") || flag.starts_with("-Wa,") || flag.starts_with("--");
    let part_renames = |part: &str| {
        let name = part.trim_start_matches('-');
        name.starts_with("wrap") || name.starts_with("defsym")
    };
    of_others && flag.split(',').any(part_renames)
}

/// The flags that change the meaning of programs, and those that may because they are not in the lists.
pub fn refused(flags: &[String]) -> Vec<&str> {
    let contract = flags.iter().rfind(|flag| flag.starts_with("-ffp-contract="));
    let may_fuse = contract.is_none_or(|flag| flag != "-ffp-contract=off");
    let machine = machine(flags).map(|(machine, _)| machine);
    let is_intel = matches!(machine, Some(Machine::X86_64 | Machine::I386));
    let mut out = Vec::new();
    let mut words = flags.iter().map(String::as_str);
    while let Some(flag) = words.next() {
        if WITH_VALUE.contains(&flag) {
            let value = words.next();
            if flag.starts_with("-X") {
                out.extend(value.filter(|value| renames_symbols(value)));
            }
            continue;
        }
        let is_about_fusing = is_listed(&FUSING, flag);
        let is_fine = if machine.is_some()
            && !is_intel
            && OTHER_MACHINES.iter().any(|start| flag.starts_with(start))
        {
            true
        } else if is_about_fusing {
            flag == "-march=x86-64" || machine == Some(Machine::I386) || !may_fuse
        } else if flag == "-target" || flag == "--target" {
            words.next().and_then(Machine::of_triple).is_some()
        } else if flag == "-m32" || flag == "-m64" {
            is_intel
        } else if flag == "-x" {
            matches!(words.next(), Some("c" | "none"))
        } else {
            changes_nothing(flag)
        };
        if !is_fine {
            out.push(flag);
        }
    }
    out
}

/// The flags as they are from anywhere: relative paths are those of `base`.
pub fn located(flags: &[String], base: &Path) -> Vec<String> {
    let mut out = Vec::with_capacity(flags.len());
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        let Some(flag) = PATHS.iter().find(|flag| word.starts_with(**flag)) else {
            out.push(word.clone());
            continue;
        };
        let attached = &word[flag.len()..];
        if !attached.is_empty() {
            out.push(format!("{flag}{}", located_path(flag, attached, base)));
            continue;
        }
        out.push(word.clone());
        out.extend(words.next().map(|value| located_path(flag, value, base)));
    }
    out
}

fn located_path(flag: &str, path: &str, base: &Path) -> String {
    let full = base.join(path);
    // Such files are looked for like headers, too; paths may be relative to the system's root.
    let is_searched = matches!(flag, "-include" | "-imacros") && !full.exists();
    if is_searched || path.starts_with(['=', '$']) {
        return path.to_owned();
    }
    // The folder of a build may be gone, while what lies beside it is there.
    let place = if full.exists() { full } else { normal(&full) };
    place.display().to_string()
}

/// Flags of compiling that a unit keeps where its tests are built: those about code, not about messages, files that the
/// compiler leaves, or counting and checking at run time.
pub(crate) fn is_kept(flag: &str) -> bool {
    let leaves_something = [
        "-fanalyzer",
        "-fcallgraph",
        "-fcoverage",
        "-fdebug",
        "-fdiagnostics",
        "-fdump",
        "-ffat-lto",
        "-ffile-prefix",
        "-flto",
        "-fmacro-prefix",
        "-fmax-errors",
        "-fmessage",
        "-fno-sanitize",
        "-fprofile",
        "-frecord",
        "-fsanitize",
        "-fshow",
        "-fstack-usage",
        "-fsyntax-only",
        "-ftest-coverage",
        "-fuse-ld",
        "-fworking-directory",
    ];
    (flag.starts_with("-f") || flag.starts_with("-m"))
        && !leaves_something.iter().any(|start| flag.starts_with(start))
        && !flag.contains("color")
}

/// One diagnostic for each refused flag.
pub(crate) fn problems(path: &str, flags: &[String]) -> Vec<Diagnostic> {
    let problem =
        |flag: &str| SetupProblem::RefusedFlag { path: path.to_owned(), flag: flag.to_owned() };
    refused(flags).into_iter().map(|flag| Diagnostic::setup(problem(flag))).collect()
}

/// What has a meaning of its own, in one word; other flags are for the preprocessor, the linker and such.
fn is_about_meaning(flag: &str) -> bool {
    ["-f", "-m", "-O", "-target"].iter().any(|start| flag.starts_with(start))
}

fn changes_nothing(flag: &str) -> bool {
    if let Some(target) = flag.strip_prefix("--target=") {
        return Machine::of_triple(target).is_some();
    }
    if AS_ASSUMED.contains(&flag) || Meaning::default().take(flag) {
        return true;
    }
    if !is_about_meaning(flag) {
        // What is no flag is a file; one of flags would have been read by now.
        let is_file = !flag.starts_with(['-', '@']);
        return is_file || (is_listed(&OTHERS, flag) && !renames_symbols(flag));
    }
    if flag.starts_with("-m") {
        return is_listed(&MACHINE, flag);
    }
    let Some(name) = flag.strip_prefix("-f") else { return false };
    let name = name.strip_prefix("no-").unwrap_or(name);
    let stem = name.split('=').next().unwrap_or(name);
    is_listed(&HARMLESS, stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_change_meaning_are_refused_and_others_are_not() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let bad = "-fpack-struct=3 -mx32 -malign-double -ffast-math -Ofast -fno-signed-zeros -ftrapv \
                   -fshort-wchar -funsigned-bitfields -fms-extensions -finstrument-functions -mfma \
                   -march=native -mlong-double-64 -fexec-charset=EBCDIC-US \
                   -fsomething-new -fno-math-errno -fmerge-all-constants -mms-bitfields @none \
                   -Wl,--wrap=malloc --defsym=a=b -Wa,--defsym,x=1 -Xclang -xc++ -arch --brand-new \
                   -traditional";
        let bad: Vec<String> = bad.split_whitespace().map(str::to_owned).collect();
        assert_eq!(refused(&bad), bad);
        let good = "-I dir -D -fshort-enums -DX=1 -std=c99 -O2 -g -Wall -Wextra -fPIC -fno-common -m64 \
                    -fsigned-char -fstack-protector-strong -fno-omit-frame-pointer -fsanitize=address \
                    -fdiagnostics-color=always -fvisibility=hidden -march=x86-64 -mtune=generic -pthread \
                    -lm --coverage -fno-strict-overflow-is-not-here";
        let good = words(&good.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(refused(&good), ["-fno-strict-overflow-is-not-here"]);
        assert_eq!(refused(&words("-march=native -ffp-contract=off")), Vec::<&str>::new());
        assert_eq!(refused(&words("-Xlinker --wrap=f -x c -x c++")), ["--wrap=f", "-x"]);
        // Every processor with 512 bits has fused operations.
        assert_eq!(refused(&words("-mavx2 -mavx512f -msse4.2")), ["-mavx512f"]);
        assert_eq!(refused(&words("-target x86_64-linux-gnu -target armeb")), ["-target"]);
        assert_eq!(refused(&words("--target=avr -Os")), ["--target=avr"]);
        assert_eq!(refused(&words("-mcpu=cortex-m4")), ["-mcpu=cortex-m4"]);
        let arm = "--target=arm-none-eabi -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -mbig-endian -m32 \
                   --specs=nano.specs";
        assert_eq!(refused(&words(arm)), ["-mbig-endian", "-m32"]);
        assert_eq!(refused(&words("-m32 -march=i686")), Vec::<&str>::new());
    }

    #[test]
    fn the_last_flag_counts() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let flags = words(
            "-funsigned-char -fsigned-char -D -fwrapv -fpack-struct=4 -fshort-enums -fno-strict-aliasing",
        );
        assert_eq!(refused(&flags), Vec::<&str>::new());
        assert!(meaning(&words("-fpack-struct")).target.packs_all);
        let target =
            Target { enums_are_short: true, max_member_align: Some(4), ..Target::default() };
        let expect = Meaning { target, has_effective_types: false, ..Meaning::default() };
        assert_eq!(meaning(&flags), expect);
        assert!(meaning(&words("-fwrapv")).overflow_wraps);
    }

    #[test]
    fn machines_say_what_no_flag_does() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let Meaning { target, floats, .. } = meaning(&words);
            (target.machine, target.char, target.enums_are_short, floats)
        };
        let (signed, unsigned) = (Signedness::Signed, Signedness::Unsigned);
        for (flags, expect) in [
            ("-O2", (Machine::X86_64, signed, false, Floats::Exact)),
            ("-m32", (Machine::I386, signed, false, Floats::Excess)),
            ("-m32 -m64", (Machine::X86_64, signed, false, Floats::Exact)),
            ("-funsigned-char -m32", (Machine::I386, unsigned, false, Floats::Excess)),
            ("-m32 -msse2 -mfpmath=sse", (Machine::I386, signed, false, Floats::Exact)),
            ("--target=arm-none-eabi", (Machine::Arm, unsigned, true, Floats::Fused)),
            (
                "--target=arm-none-eabi -fno-short-enums -fsigned-char",
                (Machine::Arm, signed, false, Floats::Fused),
            ),
            (
                "-target arm-linux-gnueabi -ffp-contract=off",
                (Machine::Arm, unsigned, false, Floats::Exact),
            ),
            (
                "--target=riscv64-unknown-elf -mabi=ilp32",
                (Machine::RiscV32, unsigned, false, Floats::Fused),
            ),
        ] {
            assert_eq!(of(flags), expect, "{flags}");
        }
    }

    #[test]
    fn relative_paths_are_those_of_a_folder() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let flags = words(
            "-Iinc -I ../x -isystemsys -iquote q -include found-as-a-header.h -DI=inc -I/abs -isystem =/r",
        );
        let expect = words(
            "-I/b/inc -I /x -isystem/b/sys -iquote /b/q -include found-as-a-header.h -DI=inc -I/abs -isystem =/r",
        );
        assert_eq!(located(&flags, Path::new("/b")), expect);
    }
}
