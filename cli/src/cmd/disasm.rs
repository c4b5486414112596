//! `hookc disasm`

use hookc_vm::Module;

use crate::args::Disasm;
use crate::exit::{Exit, Outcome};
use crate::{files, load, out};

pub(crate) fn run(args: &Disasm) -> Outcome {
    let bytes = files::bytes(&args.module, hookc_vm::limits::MODULE_BYTES)?;
    let module = load::open(Module::load, bytes, &files::name(&args.module))?;
    out::text(&hookc_compiler::disasm::print(&load::tables(&module)?))?;
    Ok(Exit::Done)
}
