//! A whole program: the arguments of `main`, the call, and what runs at the end.

use glassbox_interp::{Address, Machine, Outcome};
use glassbox_ir::{FuncId, Ty};

use crate::Libc;

/// Runs `main` with these arguments (the first is the program's name), then the handlers of `atexit`.
/// A normal end is `Exited` with the program's status. `libc` must be a handle on the machine's library.
/// `None` when the arguments do not fit into memory.
pub fn run_main(
    machine: &mut Machine<'_>,
    libc: &Libc,
    main: FuncId,
    args: &[Vec<u8>],
) -> Option<Outcome> {
    let mut pointers: Vec<Address> = Vec::new();
    for arg in args {
        let mut bytes = arg.clone();
        bytes.push(0);
        pointers.push(machine.new_input(bytes)?);
    }
    pointers.push(0);
    let size = machine.program().pointers.bytes() as usize;
    let words = pointers.iter().flat_map(|p| p.to_le_bytes().into_iter().take(size));
    let argv = machine.new_input(words.collect())?;
    let environment = machine.new_input(vec![0; size])?;
    let given = [args.len() as u128, argv.into(), environment.into()];
    let params = &machine.program().function(main).params;
    let is_usual = params.len() <= given.len()
        && params.iter().zip([Ty::I32, Ty::Ptr, Ty::Ptr]).all(|(param, ty)| param.ty == ty);
    if !is_usual {
        let span = machine.program().function(main).span;
        let what = "a `main` with other parameters than argc, argv and envp".to_owned();
        return Some(Outcome::Unsupported { what, span });
    }
    let n_params = params.len();
    let outcome = machine.run(main, &given[..n_params]);
    let outcome = finish(machine, libc, outcome);
    libc.flush();
    Some(outcome)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other outcome ends the run as it is")]
fn finish(machine: &mut Machine<'_>, libc: &Libc, outcome: Outcome) -> Outcome {
    let mut status = match outcome {
        Outcome::Returned(word) => word.unwrap_or(0) as u32 as i32,
        Outcome::Exited(status) => status,
        other => return other,
    };
    loop {
        // The handler may register further ones, so the library is free while it runs.
        let handler = libc.state.borrow_mut().at_exit.pop();
        let Some(address) = handler else { return Outcome::Exited(status) };
        let Some(function) = machine.function_at(address) else { continue };
        match machine.run(function, &[]) {
            Outcome::Returned(_) => {}
            Outcome::Exited(new_status) => status = new_status,
            other => return other,
        }
    }
}
