//! `hookc doctor`: hooks that are configured and can never fire, or fail.
//!
//! `settings.rs` looks at hosts' settings files, `handler.rs` and `words.rs` at the
//! commands in them; of all other policies the compiler knows it. `finding.rs` is how it is
//! told.

mod finding;
mod handler;
mod settings;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::args::{self, Doctor, Global, Scope};
use crate::cmd::install::{self, host};
use crate::exit::{Exit, Failure, Outcome};
use crate::{discover, files, load, out};
use finding::Findings;
use handler::Compiled;
use hookc_runtime::policies::Unit;

pub(crate) fn run(global: &Global, args: &Doctor) -> Outcome {
    let mut found = Findings::default();
    let mut compiled = Compiled::new();
    let paths = if args.paths.is_empty() { usual() } else { args.paths.clone() };
    for path in &paths {
        if path.is_dir() {
            folder(path, &mut compiled, &mut found)?;
        } else {
            file(path, &mut compiled, &mut found)?;
        }
    }
    let mut seen = BTreeSet::new();
    found.found.retain(|one| seen.insert((one.place.clone(), one.what.clone(), one.message.clone())));
    out::stdout(finding::shown(&found.found, global.format).as_bytes())?;
    let dead = found.found.iter().filter(|one| one.dead).count();
    out::say(global, &summary(found.files, dead));
    Ok(Exit::errors_if(dead > 0))
}

fn summary(files: usize, dead: usize) -> String {
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    if dead == 0 { format!("nothing dead in {files}") } else { format!("{dead} dead in {files}") }
}

/// This folder, and a person's own settings as far as there are any.
fn usual() -> Vec<PathBuf> {
    let own = host::ALL.iter().filter_map(|host| install::file(host, Scope::User).ok());
    std::iter::once(PathBuf::from(".")).chain(own.filter(|path| path.is_file())).collect()
}

fn folder(folder: &Path, compiled: &mut Compiled, out: &mut Findings) -> Result<(), Failure> {
    for path in discover::files(folder)? {
        let whole = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        if let Some(host) = settings::host_of(&whole) {
            settings::check(host, &path, compiled, out);
        } else if let Some(host) = settings::ignored_by(&whole) {
            settings::ignored(host, &path, out);
        }
    }
    for mut unit in discover::in_folder(folder)? {
        let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        unit.paths.retain(|path| {
            let whole = whole(path);
            settings::host_of(&whole).is_none() && settings::ignored_by(&whole).is_none()
        });
        if !unit.paths.is_empty() {
            policies(&unit, out)?;
        }
    }
    Ok(())
}

fn file(path: &Path, compiled: &mut Compiled, out: &mut Findings) -> Result<(), Failure> {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if !files::is_stdin(path) && !path.exists() {
        return Err(Failure::usage(format!("{} is not there", path.display())));
    }
    match settings::host_of(&whole) {
        Some(host) => {
            settings::check(host, path, compiled, out);
            Ok(())
        }
        None => policies(&Unit { dialect: None, paths: vec![path.to_path_buf()] }, out),
    }
}

/// What the compiler says of policies.
fn policies(unit: &Unit, out: &mut Findings) -> Result<(), Failure> {
    let plain = args::Sources::plain();
    out.files += unit.paths.len();
    if load::ready(&unit.paths, &plain)?.is_some() {
        return Ok(());
    }
    let built = load::unit(unit, &plain)?;
    let name = unit.paths.first().map(|path| files::name(path)).unwrap_or_default();
    out.diagnosed(&built.compiled.diagnostics, &built.sources, &name);
    Ok(())
}
