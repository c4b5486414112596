//! `hookc uninstall`: removes the calls from an agent's settings, and nothing else.

use std::path::Path;

use crate::args::{Global, Uninstall};
use crate::cmd::install::{self, settings};
use crate::edit::save;
use crate::exit::{Exit, Failure, Outcome};
use crate::installed::target::Target;
use crate::installed::{self, plugin};
use crate::{files, out};

pub(crate) fn run(global: &Global, args: &Uninstall) -> Outcome {
    let agent = installed::host(&args.host)?;
    let path = install::project_file(agent, args.scope)?;
    if agent.settings.scripts {
        return install::scripts::uninstall(global, args, agent, &path);
    }
    let mut paths = vec![path.clone()];
    // An earlier version wrote below the root of the repository.
    if let Some(below) = installed::file_here(agent, args.scope).filter(|below| *below != path) {
        installed::stays_inside(&below, Path::new("."))?;
        paths.push(below);
    }
    if !args.dry_run {
        paths.iter().try_for_each(|path| check(agent, path))?;
    }
    let mut found = Vec::new();
    for path in paths {
        let state = one(global, args, agent, &path)?;
        found.push((path, state));
    }
    if found.iter().any(|(_, state)| *state == State::Failed) {
        return Ok(Exit::Errors);
    }
    if found.iter().all(|(_, state)| *state != State::Changed) {
        for (path, state) in found {
            let why = if state == State::Missing {
                " does not exist: nothing to remove"
            } else {
                ": no call of `hookc run` to take out"
            };
            out::say(global, &format!("{}{why}", path.display()));
        }
    }
    Ok(Exit::Done)
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Missing,
    Unchanged,
    Changed,
    /// It is not valid, which was reported.
    Failed,
}

/// Whether a file can be written, if it has something to remove.
fn check(agent: Target, path: &Path) -> Result<(), Failure> {
    // A pipe would be waited for.
    let old = Some(path).filter(|path| path.is_file()).and_then(|path| std::fs::read_to_string(path).ok());
    let Some(old) = old else { return Ok(()) };
    match settings::uninstall(&files::name(path), &old, agent) {
        Ok(new) if new != old => save::check(path),
        _ => Ok(()),
    }
}

fn one(global: &Global, args: &Uninstall, agent: Target, path: &Path) -> Result<State, Failure> {
    let _turn = if args.dry_run || !path.exists() { None } else { Some(save::turn(path)?) };
    let Ok(old) = save::read(global, path)? else { return Ok(State::Failed) };
    let Some(old) = old else {
        plugin::uninstall(global, agent, path, args)?;
        return Ok(State::Missing);
    };
    let new = match settings::uninstall(&files::name(path), &old, agent) {
        Ok(new) => new,
        Err(refused) => {
            install::refused(global, &refused);
            return Ok(State::Failed);
        }
    };
    if settings::is_bare(&new) {
        plugin::uninstall(global, agent, path, args)?;
    }
    if new == old {
        return Ok(State::Unchanged);
    }
    let before = before(path, &new, agent);
    // A link stays one, and leads to something.
    let bare = before.is_none() && !agent.settings.shared && settings::is_bare(&new) && !path.is_symlink();
    let new = before.unwrap_or(new);
    if args.dry_run {
        save::show(path, &old, if bare { "" } else { &new })?;
    } else if bare {
        let backup = save::remove(path, &old)?;
        out::say(global, &format!("{} had nothing else in it: now {}", path.display(), backup.display()));
    } else {
        let backup = save::change(path, Some(&old), &new)?;
        save::report_saved(global, path, backup.as_deref(), "calls hookc no more");
    }
    Ok(State::Changed)
}

/// The text of the file before `install` made it an object or added a version, from a backup copy.
fn before(path: &Path, new: &str, agent: Target) -> Option<String> {
    let unversioned = settings::unversioned(&files::name(path), new, agent);
    let before = unversioned.filter(|before| save::had_content(path, before));
    let blank = || save::was_blank(path).filter(|_| settings::is_bare(new) && !save::had_content(path, new));
    before.or_else(blank)
}
