//! The verbs, a file each.

mod ability;
mod bench;
mod check;
mod compile;
mod completed;
mod convert;
mod disasm;
mod doctor;
mod effects;
mod emit;
mod eval;
mod explain;
pub(crate) mod findings;
mod fix;
mod fmt;
mod guide;
mod history;
mod init;
mod install;
mod keygen;
mod list;
mod log;
mod new;
mod path;
pub(crate) mod pause;
mod probe;
mod replay;
mod repository;
mod run;
mod starter;
mod status;
mod test;
mod text;
mod uninstall;
mod vocabulary;

use crate::args::{Cli, Command, Format};
use crate::exit::{Failure, Outcome};

/// Runs the command.
pub(crate) fn run(cli: &Cli) -> Outcome {
    let global = &cli.global;
    let (is_check, is_test) =
        (matches!(cli.command, Command::Check(_)), matches!(cli.command, Command::Test(_)));
    match global.format {
        Format::Junit if !is_test => return Err(Failure::usage("`--format junit` is for `hookc test`")),
        Format::Sarif | Format::Github if !is_check => {
            return Err(Failure::usage("`--format sarif` and `--format github` are for `hookc check`"));
        }
        _ => {}
    }
    match &cli.command {
        Command::Check(args) => check::run(global, args),
        Command::Compile(args) => compile::run(global, args),
        Command::Keygen(args) => keygen::run(global, args),
        Command::Eval(args) => eval::run(global, args),
        Command::Explain(args) => explain::run(global, args),
        Command::Effects(args) => effects::run(global, args),
        Command::Test(args) => test::run(global, args),
        Command::Convert(args) => convert::run(global, args),
        Command::Fmt(args) => fmt::run(global, args),
        Command::List(args) => list::run(global, args),
        Command::Disasm(args) => disasm::run(args),
        Command::New(args) => new::run(global, args),
        Command::Starter(verb) => starter::run(global, verb),
        Command::Replay(args) => replay::run(global, args),
        Command::Bench(args) => bench::run(global, args),
        Command::Path(args) => path::run(global, args),
        Command::Run(args) => run::run(global, args),
        Command::Init(args) => init::run(global, args),
        Command::Install(args) => install::run(global, args),
        Command::Uninstall(args) => uninstall::run(global, args),
        Command::Status(args) => status::run(global, args),
        Command::Log(args) => log::run(global, args),
        Command::History(verb) => history::run(global, verb),
        Command::Doctor(args) => doctor::run(global, args),
        Command::Probe(args) => probe::run(global, args),
        Command::Pause(args) => pause::run(global, args),
        Command::Emit(args) => emit::run(global, args),
        Command::Ability(args) => ability::run(global, args),
        Command::RunHandler => run::handler(),
        Command::Guide(args) => guide::run(args),
        Command::Vocabulary(args) => vocabulary::run(global, args),
        Command::Schema(args) => text::schema(args),
        Command::ExplainCode(args) => text::explain_code(args),
        Command::Completions(args) => text::completions(args),
        Command::Man => text::man(),
    }
}
