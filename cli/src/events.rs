//! Splits an input of events: one JSON value, an array of events, or NDJSON. The bytes of an event
//! stay unchanged.

use std::path::{Path, PathBuf};

use hookc_compiler::testing;
use hookc_schema::terminal::escape;
use serde_json::value::RawValue;

use crate::args::{EventFlags, Global};
use crate::exit::Failure;
use crate::files::Texts;
use crate::{files, given, out};

/// An event as it was in its file.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) bytes: Vec<u8>,
    /// Its line in the file, from 1.
    pub(crate) line: usize,
}

/// The source of events.
#[derive(Debug)]
pub(crate) enum Events {
    /// A file, or `-`.
    File(PathBuf),
    /// Flags.
    Flags(Vec<u8>),
}

impl Events {
    pub(crate) fn read(&self, texts: &mut Texts) -> Result<Vec<Event>, Failure> {
        match self {
            Self::File(path) => read(path, texts),
            Self::Flags(bytes) => Ok(vec![Event { bytes: bytes.clone(), line: 1 }]),
        }
    }

    /// Reports misspelled names of an event that flags describe: no condition reads them.
    pub(crate) fn report_names(&self, global: &Global, given: &EventFlags) {
        let (Self::Flags(bytes), Some(name)) = (self, given.event.as_deref()) else { return };
        for found in testing::misspelled(name, &String::from_utf8_lossy(bytes)) {
            let help = found.help.iter().map(|help| format!("; {}", escape(help)));
            out::say(
                global,
                &format!("hookc: the event: {}{}", escape(&found.message), help.collect::<String>()),
            );
        }
    }

    /// Why there is no event: none was named, or the file has none.
    pub(crate) fn none(&self, what_to_write: &str) -> Failure {
        match self {
            Self::File(path) if !files::is_stdin(path) => {
                Failure::input(format!("{}: the file has no event", self.name()))
            }
            _ => Failure::usage(what_to_write),
        }
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => files::name(path),
            Self::Flags(_) => "the command line".to_owned(),
        }
    }
}

/// Splits the arguments of `eval` and `explain` as [`part`] does, unless flags describe the event:
/// then all files are policies. With only `--event` and no input, the event has no fields.
pub(crate) fn from_args(
    files: &[PathBuf],
    given: &EventFlags,
    texts: &mut Texts,
) -> Result<(Vec<PathBuf>, Events), Failure> {
    let (policies, events) = part(files, texts)?;
    if !given.any() && files::is_stdin(&events) && policies.iter().any(|path| files::is_stdin(path)) {
        return Err(Failure::usage(
            "standard input cannot be both the policy and the events: name a file for one",
        ));
    }
    let alone = policies.len() == files.len();
    let typed = alone && given.event.is_some() && has_no_input();
    if !given.any() && !typed {
        return Ok((policies, Events::File(events)));
    }
    if !alone {
        let name =
            if files::is_stdin(&events) { "standard input".into() } else { events.display().to_string() };
        return Err(Failure::usage(format!(
            "the event comes either from {name} or from `--tool`, `--input` and `--set`: remove one"
        )));
    }
    Ok((policies, Events::Flags(given::event(given)?)))
}

/// Whether standard input is a terminal or another device, such as `/dev/null`.
fn has_no_input() -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata("/dev/stdin").is_ok_and(|found| found.file_type().is_char_device())
}

/// The byte order mark of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Most bytes read of a file of events.
const EVENTS_BYTES: usize = 4 << 30;

/// Splits the arguments of `eval` and `explain`: policies, then events. The last file contains
/// events unless its extension is that of a policy or a module; a JSON file contains events if no
/// dialect matches it. Otherwise events come from standard input.
pub(crate) fn part(files: &[PathBuf], texts: &mut Texts) -> Result<(Vec<PathBuf>, PathBuf), Failure> {
    let (last, before) = files.split_last().ok_or_else(|| Failure::usage("no policy was given"))?;
    if !before.is_empty() && contains_events(last, texts)? {
        return Ok((before.to_vec(), last.clone()));
    }
    Ok((files.to_vec(), PathBuf::from("-")))
}

/// Splits the arguments of `replay`: policies, then logs from the first file with events on.
pub(crate) fn part_logs<'f>(
    files: &'f [PathBuf],
    texts: &mut Texts,
) -> Result<(&'f [PathBuf], &'f [PathBuf]), Failure> {
    for (at, path) in files.iter().enumerate().skip(1) {
        if contains_events(path, texts)? {
            return files.split_at_checked(at).ok_or_else(|| Failure::usage("no log was given"));
        }
    }
    if let Some(folder) = files.iter().skip(1).find(|path| path.is_dir()) {
        return Err(Failure::usage(format!(
            "{}: is a directory: name a file of recorded events",
            folder.display()
        )));
    }
    Err(Failure::usage("no log was given: name recorded events after the policy, or `-`"))
}

fn contains_events(path: &Path, texts: &mut Texts) -> Result<bool, Failure> {
    if path.is_dir() {
        return Ok(false);
    }
    if files::is_stdin(path) {
        return Ok(true);
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => {
            let text = String::from_utf8_lossy(texts.peek(path, EVENTS_BYTES)?);
            Ok(hookc_syntax::front::detect::detect(&path.to_string_lossy(), &text).is_none())
        }
        // A policy has a known extension; a pipe has none.
        Some("yaml" | "yml" | "xml" | "md" | "hookc") => Ok(false),
        _ => Ok(true),
    }
}

/// The events of a file.
pub(crate) fn read(path: &Path, texts: &mut Texts) -> Result<Vec<Event>, Failure> {
    let mut bytes = texts.bytes(path, EVENTS_BYTES)?;
    // Some editors write this mark at the start of a text; it is not part of an event.
    if bytes.starts_with(BOM) {
        bytes.drain(..BOM.len());
    }
    let lines_only = path.extension().is_some_and(|e| e == "ndjson" || e == "jsonl");
    Ok(if lines_only { lines(&bytes) } else { any(&bytes) })
}

fn any(bytes: &[u8]) -> Vec<Event> {
    if let Ok(events) = serde_json::from_slice::<Vec<&RawValue>>(bytes) {
        return events.into_iter().map(|event| raw(bytes, event)).collect();
    }
    let lines = lines(bytes);
    let is_json = |bytes: &[u8]| serde_json::from_slice::<&RawValue>(bytes).is_ok();
    if lines.len() > 1
        && !is_json(bytes)
        && lines.iter().any(|event| is_json(&event.bytes) && is_object(event))
    {
        return lines;
    }
    let line = lines.first().map_or(1, |event| event.line);
    if lines.is_empty() { lines } else { vec![Event { bytes: bytes.to_vec(), line }] }
}

fn is_object(event: &Event) -> bool {
    event.bytes.trim_ascii_start().starts_with(b"{")
}

fn raw(stream: &[u8], event: &RawValue) -> Event {
    let bytes = event.get().as_bytes();
    let at = (bytes.as_ptr() as usize).saturating_sub(stream.as_ptr() as usize);
    let before = stream.get(..at).unwrap_or(&[]);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    Event { bytes: bytes.to_vec(), line }
}

fn lines(bytes: &[u8]) -> Vec<Event> {
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let full = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    full.map(|(line, number)| Event { bytes: line.to_vec(), line: number }).collect()
}
