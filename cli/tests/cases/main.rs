//! One trial per directory of the corpus that the program reads: recipes and starter policies pass
//! their tests, and `explain` agrees with `eval` about the events of `corpus/eval`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

#[path = "../common/mod.rs"]
mod common;
mod explain;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use hookc_corpus::Case;
use libtest_mimic::{Arguments, Failed, Trial};

type Judge = fn(&Case) -> Result<(), String>;

const KINDS: [(&str, Judge); 3] = [("eval", explain::agrees), ("recipes", recipe), ("starters", policy)];

fn main() -> ExitCode {
    let trials = KINDS.iter().flat_map(|&(kind, judge)| {
        hookc_corpus::cases(kind).unwrap().into_iter().map(move |case| {
            Trial::test(format!("{kind}::{}", case.name), move || judge(&case).map_err(Failed::from))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn passes(folder: &Path, args: &[&str]) -> Result<(), String> {
    let run = common::hookc(folder, args, "");
    if run.code == 0 { Ok(()) } else { Err(format!("{args:?}:\n{}{}", run.out, run.err)) }
}

/// A shipped policy gives no warning, and its tests see every outcome.
fn policy(case: &Case) -> Result<(), String> {
    passes(&case.path, &["test", "--quiet", "--coverage", "--coverage-fail-under", "100", "."])?;
    passes(&case.path, &["check", "--deny", "warnings", "."])
}

/// A recipe works with Claude Code too.
fn recipe(case: &Case) -> Result<(), String> {
    policy(case)?;
    let folder = tempfile::tempdir().unwrap();
    common::put(folder.path(), "hooks.yaml", fs::read(case.path.join("hooks.yaml")).unwrap());
    passes(folder.path(), &["check", "--deny", "warnings", "--host", "claude", "hooks.yaml"])?;
    passes(folder.path(), &["install", "claude", "hooks.yaml"])?;
    let is_installed = folder.path().join(".claude/settings.json").is_file();
    if is_installed { Ok(()) } else { Err("no settings were written".to_owned()) }
}
