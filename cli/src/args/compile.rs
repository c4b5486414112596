//! `compile` and `disasm`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Sources;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    Tree,
    Plan,
    Asm,
    Module,
}

#[derive(Args, Debug)]
#[command(mut_arg("verify_key", |arg| arg.hide(true)))]
pub(crate) struct Compile {
    /// Policies; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The output file; `-` is standard output (the default, except for modules)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What to write
    #[arg(long, default_value = "module")]
    pub(crate) emit: Emit,
    /// Omit names and source locations, so that two notations of one policy give the same bytes
    #[arg(long)]
    pub(crate) strip: bool,
    /// Sign the module with this secret key (`hookc keygen`), and write the signature to
    /// OUTPUT.minisig; the password of the key is asked for or read from HOOKC_KEY_PASSWORD
    #[arg(long, value_name = "FILE")]
    pub(crate) sign: Option<PathBuf>,
    /// Let the signature expire after this many days
    #[arg(long, value_name = "N", requires = "sign", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) valid_days: Option<u32>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Writes OUTPUT.key, the secret key, readable for you alone, and OUTPUT.pub, which `--verify-key` takes. \
                        Both are in the format of minisign. A file that exists is not replaced."
)]
pub(crate) struct Keygen {
    /// The files without their extensions
    #[arg(short, long, value_name = "NAME", default_value = "hookc")]
    pub(crate) output: PathBuf,
    /// Do not encrypt the secret key. By default it is encrypted with a password, which is asked
    /// for or read from HOOKC_KEY_PASSWORD
    #[arg(long)]
    pub(crate) no_password: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Disasm {
    /// A module; `-` is standard input
    pub(crate) module: PathBuf,
}
