//! `hookc uninstall`: out of a host's settings again, and nothing else.

use crate::args::{Global, Uninstall};
use crate::cmd::install::{self, settings};
use crate::edit::save;
use crate::exit::{Exit, Outcome};
use crate::{files, out};

pub(crate) fn run(global: &Global, args: &Uninstall) -> Outcome {
    let host = install::host(&args.host)?;
    let path = install::file(host, args.scope)?;
    let _turn = if args.dry_run || !path.exists() { None } else { Some(save::turn(&path)?) };
    let Some(old) = save::read(global, &path)? else { return Ok(Exit::Errors) };
    let Some(old) = old else {
        out::say(global, &format!("{} is not there: nothing to take out", path.display()));
        return Ok(Exit::Done);
    };
    let new = match settings::uninstall(&files::name(&path), &old, host) {
        Ok(new) => new,
        Err(refused) => return Ok(install::refused(global, &refused)),
    };
    if new == old {
        out::say(global, &format!("{}: no call of `hookc run` to take out", path.display()));
        return Ok(Exit::Done);
    }
    // The file had no version before, if it was this without one.
    let before = settings::unversioned(&files::name(&path), &new, host);
    let before = before.filter(|before| save::said_before(&path, before));
    let bare = before.is_none() && host.hooks_only && settings::is_bare(&new);
    let new = before.unwrap_or(new);
    if args.dry_run {
        save::show(&path, &old, if bare { "" } else { &new })?;
    } else if bare {
        let backup = save::remove(&path, &old)?;
        out::say(global, &format!("{} had nothing else in it: now {}", path.display(), backup.display()));
    } else {
        let backup = save::change(&path, Some(&old), &new)?;
        save::told(global, &path, backup.as_deref(), "calls hookc no more");
    }
    Ok(Exit::Done)
}
