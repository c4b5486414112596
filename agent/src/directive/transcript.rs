//! The transcript of a thread and the threads that it starts: one JSON object per line.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use hookc_runtime::log::rfc3339;
use hookc_runtime::open;
use serde_json::{Value, json};

/// An open transcript.
#[derive(Debug)]
pub(crate) struct Transcript(Mutex<File>);

impl Transcript {
    /// Opens a transcript for appending.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        open::to_append(path).map(|file| Self(Mutex::new(file)))
    }

    /// Appends an event, in one write.
    pub(crate) fn write(
        &self,
        thread: &str,
        directive: &str,
        event_type: &str,
        payload: Value,
    ) -> io::Result<()> {
        let line = json!({
            "timestamp": rfc3339(SystemTime::now()), "thread_id": thread, "directive": directive,
            "event_type": event_type, "payload": payload,
        });
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{line}\n").as_bytes())
    }
}
