//! `convert` and `fmt`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The policy
    pub(crate) file: PathBuf,
    /// The target dialect: hooks-yaml, directive-xml, settings, repository, skill, workflow
    #[arg(long, value_name = "DIALECT")]
    pub(crate) to: String,
    /// The dialect of the input
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// The output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Omit what the target cannot express, and list it
    #[arg(long)]
    pub(crate) lossy: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Hooks files, formatted in place; `-` reads standard input and writes standard output
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing: show the changes, and exit with an error if there are any
    #[arg(long, conflicts_with = "stdout")]
    pub(crate) check: bool,
    /// Write to standard output and leave the files unchanged
    #[arg(long)]
    pub(crate) stdout: bool,
}
