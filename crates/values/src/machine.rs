//! The machines that programs are compiled for: what their ABIs say about C's types.
//!
//! All of them store the least significant byte first. Others are not known here, by intent: what is not
//! known is refused by the name of its machine.

use crate::Signedness;

/// An ABI of C, as gcc follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Machine {
    /// System V for x86-64.
    #[default]
    X86_64,
    /// System V for i386: what `-m32` chooses.
    I386,
    /// AAPCS for 32 bits: `arm-none-eabi`, `arm-linux-gnueabi`.
    Arm,
    /// AAPCS for 64 bits.
    AArch64,
    /// `ilp32` of RISC-V.
    RiscV32,
    /// `lp64` of RISC-V.
    RiscV64,
}

impl Machine {
    /// The machine that a target triple of gcc or clang names.
    pub fn of_triple(triple: &str) -> Option<Machine> {
        let (first, rest) = triple.split_once('-').unwrap_or((triple, ""));
        let is_foreign = [
            "windows", "mingw", "cygwin", "darwin", "apple", "macos", "ios", "x32", "ilp32", "wasm",
        ]
        .iter()
        .any(|system| rest.contains(system));
        if is_foreign {
            return None;
        }
        let is_arm = first == "arm" || first == "thumb" || {
            let version = first.strip_prefix("armv").or_else(|| first.strip_prefix("thumbv"));
            version.is_some_and(|version| {
                version.starts_with(|c: char| c.is_ascii_digit()) && !version.ends_with("eb")
            })
        };
        match first {
            "x86_64" | "amd64" => Some(Machine::X86_64),
            "i386" | "i486" | "i586" | "i686" => Some(Machine::I386),
            // The older ABI of ARM has other layouts.
            _ if is_arm => (rest.is_empty() || rest.contains("eabi")).then_some(Machine::Arm),
            "aarch64" | "arm64" => Some(Machine::AArch64),
            "riscv32" => Some(Machine::RiscV32),
            "riscv64" => Some(Machine::RiscV64),
            _ => None,
        }
    }

    /// Whether enumerations are as small as their values allow unless a flag says otherwise: on ARM without an
    /// operating system.
    pub fn has_short_enums(self, triple: &str) -> bool {
        self == Machine::Arm && !triple.contains("linux")
    }

    /// What pointers and `long` take.
    pub const fn word_size(self) -> u64 {
        match self {
            Machine::I386 | Machine::Arm | Machine::RiscV32 => 4,
            Machine::X86_64 | Machine::AArch64 | Machine::RiscV64 => 8,
        }
    }

    /// Whether plain `char` has negative values.
    pub const fn char(self) -> Signedness {
        match self {
            Machine::X86_64 | Machine::I386 => Signedness::Signed,
            Machine::Arm | Machine::AArch64 | Machine::RiscV32 | Machine::RiscV64 => {
                Signedness::Unsigned
            }
        }
    }

    /// The alignment of a number of this size where it is a member.
    pub const fn number_align(self, size: u64) -> u64 {
        match self {
            Machine::I386 if size > 4 => 4,
            Machine::X86_64
            | Machine::I386
            | Machine::Arm
            | Machine::AArch64
            | Machine::RiscV32
            | Machine::RiscV64 => size,
        }
    }

    /// What `long double` takes; where it is a `double` it has eight bytes.
    pub const fn long_double_size(self) -> u64 {
        match self {
            Machine::I386 => 12,
            Machine::Arm => 8,
            Machine::X86_64 | Machine::AArch64 | Machine::RiscV32 | Machine::RiscV64 => 16,
        }
    }

    /// The alignment that `__attribute__((aligned))` without a number asks for.
    pub const fn largest_align(self) -> u64 {
        match self {
            Machine::Arm => 8,
            Machine::X86_64
            | Machine::I386
            | Machine::AArch64
            | Machine::RiscV32
            | Machine::RiscV64 => 16,
        }
    }

    /// Whether bit-fields without a name align the structure that they are in, as those with a name do.
    pub const fn aligns_unnamed_bits(self) -> bool {
        match self {
            Machine::Arm | Machine::AArch64 => true,
            Machine::X86_64 | Machine::I386 | Machine::RiscV32 | Machine::RiscV64 => false,
        }
    }

    /// Whether `wchar_t` has no negative values.
    pub const fn has_unsigned_wide_characters(self) -> bool {
        match self {
            Machine::Arm | Machine::AArch64 => true,
            Machine::X86_64 | Machine::I386 | Machine::RiscV32 | Machine::RiscV64 => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Machine;

    #[test]
    fn triples_name_machines_that_store_the_least_byte_first() {
        for (triple, expect) in [
            ("x86_64-linux-gnu", Some(Machine::X86_64)),
            ("x86_64", Some(Machine::X86_64)),
            ("i686-pc-linux-gnu", Some(Machine::I386)),
            ("arm-none-eabi", Some(Machine::Arm)),
            ("arm-linux-gnueabihf", Some(Machine::Arm)),
            ("thumbv7em-none-eabi", Some(Machine::Arm)),
            ("armv7a-none-eabi", Some(Machine::Arm)),
            ("aarch64-linux-gnu", Some(Machine::AArch64)),
            ("riscv32-unknown-elf", Some(Machine::RiscV32)),
            ("riscv64-linux-gnu", Some(Machine::RiscV64)),
            ("armeb-none-eabi", None),
            ("armv7eb-none-eabi", None),
            ("arm-linux", None),
            ("aarch64_be-linux-gnu", None),
            ("arm64-apple-darwin", None),
            ("x86_64-w64-mingw32", None),
            ("x86_64-linux-gnux32", None),
            ("avr", None),
            ("avr-none-elf", None),
            ("mips-linux-gnu", None),
            ("powerpc64le-linux-gnu", None),
            ("", None),
        ] {
            assert_eq!(Machine::of_triple(triple), expect, "{triple}");
        }
    }
}
