//! `hookc history`: what is kept of earlier events for the user's installed calls.
//!
//! `show.rs` shows it. Hashes are not printed, and the state has no text of events.

mod show;

use std::path::{Path, PathBuf};

use hookc_runtime::history::{self, Call, PartitionFile, Store, Unavailable};

use crate::args::{ClearHistory, Global, HistoryVerb, ShowHistory, VerifyHistory};
use crate::exit::{Exit, Failure, Outcome};
use crate::{out, state};

pub(crate) fn run(global: &Global, verb: &HistoryVerb) -> Outcome {
    match verb {
        HistoryVerb::Show(args) => show(global, args),
        HistoryVerb::Clear(args) => clear(global, args),
        HistoryVerb::Verify(args) => verify(global, args),
    }
}

/// The directory with the histories of all calls.
pub(crate) fn directory() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    Some(state::path(&variable)?.join("history"))
}

pub(crate) fn calls() -> Result<Vec<Call>, Failure> {
    let root = directory().ok_or_else(|| Failure::usage("no home directory: HOME is not set"))?;
    history::calls(&root).map_err(|error| Failure::file(&root, &error))
}

fn show(global: &Global, args: &ShowHistory) -> Outcome {
    let mut shown = Vec::new();
    for call in calls()? {
        let mut files = files(&call)?;
        if let Some(session) = &args.session {
            let paths = of_session(&call, session)?;
            files.retain(|file| paths.contains(&file.path));
        }
        if args.session.is_none() || !files.is_empty() {
            shown.push(show::Shown::new(&call, &files));
        }
    }
    show::print(global, &shown, args.session.as_deref())?;
    Ok(Exit::Done)
}

fn files(call: &Call) -> Result<Vec<PartitionFile>, Failure> {
    call.files().map_err(|error| Failure::file(&call.directory, &error))
}

/// The files of a session: its own, and that of its main agent.
fn of_session(call: &Call, session: &str) -> Result<Vec<PathBuf>, Failure> {
    let store = call.store().map_err(|why| unavailable(&call.directory, &why))?;
    let names = [vec!["session", session], vec!["agent", session, ""]];
    Ok(names.into_iter().map(|name| store.path(store.key(name))).collect())
}

fn unavailable(path: &Path, why: &Unavailable) -> Failure {
    Failure::input(format!("{}: {why}", path.display()))
}

fn clear(global: &Global, args: &ClearHistory) -> Outcome {
    let mut cleared = 0_usize;
    for call in calls()? {
        let mut files = files(&call)?;
        if let Some(session) = &args.session {
            let paths = of_session(&call, session)?;
            files.retain(|file| paths.contains(&file.path));
        }
        for file in files {
            Store::clear_file(&file.path).map_err(|why| unavailable(&file.path, &why))?;
            cleared = cleared.saturating_add(1);
        }
    }
    let what = if cleared == 1 { "1 history".to_owned() } else { format!("{cleared} histories") };
    out::say(global, &format!("cleared {what}"));
    Ok(Exit::Done)
}

fn verify(global: &Global, args: &VerifyHistory) -> Outcome {
    let file = PartitionFile::verify(args.file.clone());
    match &file.partition {
        Ok(partition) => {
            let events = out::plural(usize::try_from(partition.step()).unwrap_or(usize::MAX), "event");
            out::say(global, &format!("{}: the history of {events} is valid", args.file.display()));
            Ok(Exit::Done)
        }
        Err(why @ (Unavailable::Invalid(_) | Unavailable::Misplaced)) => {
            Err(Failure::input(format!("{}: {why}", args.file.display())))
        }
        Err(why) => Err(Failure::usage(format!("{}: {why}", args.file.display()))),
    }
}
