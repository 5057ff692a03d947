//! Programs for other machines: which compiler reads a unit, and why its tests are not run here.

use glassbox_c_front::compdb;
use glassbox_replay::tools::is_installed;
use glassbox_values::Machine;

/// Compilers that take any machine by a flag.
const CLANGS: [&str; 2] = ["clang", "clang-19"];

/// How a unit is compiled for a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The compiler, where it is not the one of this machine.
    pub(super) compiler: Option<String>,
    /// The flags that choose the machine.
    pub(super) flags: Vec<String>,
}

/// How a unit is compiled for the machine that a triple names; `given` is the compiler that the user wants.
pub(super) fn chosen(triple: &str, given: Option<&str>) -> Result<Chosen, String> {
    let Some(machine) = Machine::of_triple(triple) else {
        return Err(format!(
            "the types of `{triple}` are not modeled\n\
             help: known are x86_64, i386, arm (EABI), aarch64, riscv32 and riscv64, with the least significant byte first"
        ));
    };
    let own = |flags: Vec<String>| Chosen { compiler: None, flags };
    match machine {
        Machine::X86_64 => return Ok(own(Vec::new())),
        Machine::I386 => return Ok(own(vec!["-m32".to_owned()])),
        Machine::Arm | Machine::AArch64 | Machine::RiscV32 | Machine::RiscV64 => {}
    }
    let flags = vec![format!("--target={triple}")];
    if given.is_some() {
        return Ok(own(flags));
    }
    let cross = [format!("{triple}-gcc")];
    let mut known = cross.into_iter().chain(CLANGS.map(str::to_owned));
    match known.find(|name| is_installed(name)) {
        Some(compiler) => Ok(Chosen { compiler: Some(compiler), flags }),
        None => Err(format!(
            "no compiler for `{triple}` is installed\nhelp: install {triple}-gcc or clang, or name one by --cc"
        )),
    }
}

/// The same for a compiler of a database, whose name says the machine; `None` for one that is not known.
pub(super) fn of_compiler(compiler: &str) -> Option<Chosen> {
    chosen(compdb::triple_of(compiler)?, None).ok()
}

/// Why tests of a program for this machine are not run here.
pub(super) fn obstacle(machine: Machine) -> Option<String> {
    let name = match machine {
        Machine::X86_64 | Machine::I386 => return None,
        Machine::Arm => "ARM",
        Machine::AArch64 => "AArch64",
        Machine::RiscV32 | Machine::RiscV64 => "RISC-V",
    };
    Some(format!("tests for {name} do not run on this machine"))
}
