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
}

#[derive(Args, Debug)]
pub(crate) struct Disasm {
    /// A module; `-` is standard input
    pub(crate) module: PathBuf,
}
