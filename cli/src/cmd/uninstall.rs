//! `hookc uninstall`: removes the calls from an agent's settings, and nothing else.

use std::path::Path;

use crate::args::{Global, Uninstall};
use crate::cmd::install::target::Target;
use crate::cmd::install::{self, settings};
use crate::edit::save;
use crate::exit::{Exit, Outcome};
use crate::{files, out};

pub(crate) fn run(global: &Global, args: &Uninstall) -> Outcome {
    let agent = install::host(&args.host)?;
    let path = install::file(agent, args.scope)?;
    let _turn = if args.dry_run || !path.exists() { None } else { Some(save::turn(&path)?) };
    let Some(old) = save::read(global, &path)? else { return Ok(Exit::Errors) };
    let Some(old) = old else {
        out::say(global, &format!("{} does not exist: nothing to remove", path.display()));
        return Ok(Exit::Done);
    };
    let new = match settings::uninstall(&files::name(&path), &old, agent) {
        Ok(new) => new,
        Err(refused) => return Ok(install::refused(global, &refused)),
    };
    if new == old {
        out::say(global, &format!("{}: no call of `hookc run` to take out", path.display()));
        return Ok(Exit::Done);
    }
    let before = before(&path, &new, agent);
    // A link stays one, and leads to something.
    let bare = before.is_none() && !agent.settings.shared && settings::is_bare(&new) && !path.is_symlink();
    let new = before.unwrap_or(new);
    if args.dry_run {
        save::show(&path, &old, if bare { "" } else { &new })?;
    } else if bare {
        let backup = save::remove(&path, &old)?;
        out::say(global, &format!("{} had nothing else in it: now {}", path.display(), backup.display()));
    } else {
        let backup = save::change(&path, Some(&old), &new)?;
        save::report_saved(global, &path, backup.as_deref(), "calls hookc no more");
    }
    Ok(Exit::Done)
}

/// The text of the file before `install` made it an object or added a version, from a backup copy.
fn before(path: &Path, new: &str, agent: Target) -> Option<String> {
    let unversioned = settings::unversioned(&files::name(path), new, agent);
    let before = unversioned.filter(|before| save::had_content(path, before));
    let blank = || save::was_blank(path).filter(|_| settings::is_bare(new) && !save::had_content(path, new));
    before.or_else(blank)
}
