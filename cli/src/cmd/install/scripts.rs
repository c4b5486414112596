//! Agents that run a script for each event: an executable file with the name of the event, in a directory.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::report::Installed;
use super::settings::RequiredCall;
use crate::args::{Global, Install, Uninstall};
use crate::edit::save;
use crate::exit::{Exit, Failure, Outcome};
use crate::installed::scripts::{as_settings, files, is_ours};
use crate::installed::target::Target;
use crate::installed::{check_scope, records};
use crate::out;

/// The permissions of a script.
const MODE: u32 = 0o755;

/// Writes the scripts of all calls. A script of someone else stays, and nothing is written.
pub(super) fn install(
    global: &Global,
    args: &Install,
    report: &Installed<'_>,
    calls: &[RequiredCall],
) -> Outcome {
    let (agent, folder) = (report.agent, report.settings);
    let mut scripts = Vec::new();
    for call in calls {
        let file = folder.join(&call.event);
        check_scope(&file, args.scope)?;
        let Ok(old) = save::read(global, &file)? else { return Ok(Exit::Errors) };
        if old.as_deref().is_some_and(|old| !old.trim().is_empty() && !is_ours(agent, old)) {
            let why = format!("{} is another script: add the line `{}` to it", file.display(), call.command);
            return Err(Failure::usage(why));
        }
        let new = format!("#!/bin/sh\n{}\n", call.command);
        if !args.dry_run && old.as_ref() != Some(&new) {
            save::check(&file)?;
        }
        scripts.push((file, old, new));
    }
    for ((file, old, new), call) in scripts.iter().zip(calls) {
        if old.as_ref() == Some(new) {
            out::say(global, &format!("{} calls hookc for {} already", file.display(), call.event));
        } else if args.dry_run {
            save::show(file, old.as_deref().unwrap_or_default(), new)?;
        } else {
            let backup = save::change(file, old.as_deref(), new)?;
            let mode = std::fs::Permissions::from_mode(MODE);
            std::fs::set_permissions(file, mode).map_err(|error| Failure::file(file, &error))?;
            save::report_saved(global, file, backup.as_deref(), &format!("calls hookc for {}", call.event));
            let settings = |text: &str| as_settings(file, text);
            records::keep(
                agent,
                file,
                report.root,
                &settings(old.as_deref().unwrap_or_default()),
                &settings(new),
            );
        }
    }
    if !args.dry_run {
        report.events(global)?;
    }
    Ok(Exit::Done)
}

/// Removes the scripts that `install` wrote.
pub(crate) fn uninstall(global: &Global, args: &Uninstall, agent: Target, folder: &Path) -> Outcome {
    let mut scripts = Vec::new();
    for file in files(agent, folder) {
        let Ok(Some(text)) = save::read(global, &file)? else { continue };
        if is_ours(agent, &text) {
            check_scope(&file, args.scope)?;
            if !args.dry_run {
                save::check(&file)?;
            }
            scripts.push((file, text));
        }
    }
    if scripts.is_empty() {
        out::say(global, &format!("{}: no call of `hookc run` to take out", folder.display()));
    }
    for (file, text) in scripts {
        if args.dry_run {
            save::show(&file, &text, "")?;
        } else {
            let backup = save::remove(&file, &text)?;
            out::say(global, &format!("{} is removed: now {}", file.display(), backup.display()));
        }
    }
    Ok(Exit::Done)
}
