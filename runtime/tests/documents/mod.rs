//! The walk-throughs of the documents that define the dialects, from realistic files to their
//! effects. Those of coding agents are in the tests of the command line.

mod agent;
mod repository;
mod skills;
mod thread;
mod workflow;

use std::path::Path;
use std::time::{Duration, Instant};

use hookc_compiler::Dialect;
use hookc_runtime::EventOutcome;
use hookc_runtime::log::{Entry, Log, Redaction};
use hookc_runtime::{Engine, Event, PolicySet};
use hookc_schema::tree::Layer;
use serde_json::{Map, Value};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn with(self, name: &str, text: &str) -> Self {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if text.starts_with("#!") {
            hookc_corpus::write_program(&path, text.as_bytes()).unwrap();
        } else {
            std::fs::write(&path, text).unwrap();
        }
        self
    }

    fn engine(&self, name: &str, dialect: Dialect) -> Engine {
        engine(&PolicySet::new().with(Layer::Project, self.path().join(name), Some(dialect)))
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// The lines of the log that one event makes, without and with the payload.
    fn logged(&self, event: &Event, handled: &EventOutcome) -> [Value; 2] {
        let write = |log: Log| {
            let entry = Entry::new("test", event, Ok(handled), Duration::ZERO);
            log.write(&entry).unwrap();
        };
        let path = self.path().join("decisions.jsonl");
        write(Log::open(&path).unwrap());
        write(Log::open(&path).unwrap().with_payload(Redaction::default()));
        let lines: Vec<Value> =
            self.read("decisions.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        std::fs::remove_file(path).unwrap();
        lines.try_into().unwrap()
    }

    /// Waits for a file that a handler in the background writes.
    fn wait(&self, name: &str, part: &str) -> String {
        let start = Instant::now();
        while !self.read(name).contains(part) {
            assert!(start.elapsed() < Duration::from_secs(10), "{name}: {}", self.read(name));
            std::thread::sleep(Duration::from_millis(10));
        }
        self.read(name)
    }
}

fn engine(layers: &PolicySet) -> Engine {
    Engine::new(layers.compile().unwrap_or_else(|refused| panic!("{refused}")))
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn skill(name: &str, trigger: &str, hooks: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\n{trigger}{hooks}---\n\n{body}\n")
}
