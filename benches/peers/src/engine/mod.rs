//! The engines, a file each.

mod cedar;
mod cel;
mod datalogic;
pub mod floor;
mod hookc;
mod quamina;
mod regorus;
mod rhai;
mod tau;
mod tuned;
pub mod walk;

use serde_json::Value;

use crate::work::Work;

/// Rules that are loaded.
pub trait Engine {
    /// The rank of the first rule that matches an event given as bytes.
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String>;

    /// Parses events and keeps them, in the form that costs the engine least; `false` if it takes bytes only.
    fn keep(&mut self, _events: &[String]) -> Result<bool, String> {
        Ok(false)
    }

    /// Decides about an event that was kept, by its number.
    fn decide_kept(&mut self, _event: usize) -> Result<Option<u32>, String> {
        Err("keeps no events".to_owned())
    }
}

type Load = fn(&Work) -> Result<Box<dyn Engine>, String>;

/// An engine and the workloads that it supports.
pub struct Peer {
    pub name: &'static str,
    pub load: Load,
    /// Most rules that are tried.
    most: usize,
    /// Supports only the reduced workload.
    reduced: bool,
}

impl Peer {
    /// The reduced workload is for engines that need it, and for those they are compared with.
    pub fn wants(&self, work: &Work) -> bool {
        let beside = self.reduced || ["hookc", "straight tree walk", "tuned tree walk"].contains(&self.name);
        work.rules.len() <= self.most && if work.reduced { beside } else { !self.reduced }
    }
}

const fn peer(name: &'static str, load: Load) -> Peer {
    Peer { name, load, most: 100_000, reduced: false }
}

/// All of them.
pub const PEERS: &[Peer] = &[
    peer("hookc", hookc::load),
    peer("straight tree walk", walk::load),
    peer("tuned tree walk", tuned::load),
    peer("datalogic-rs", datalogic::load),
    peer("datalogic-rs, `serde_json::Value`", datalogic::load_for_values),
    peer("tau-engine", tau::load),
    peer("rhai", rhai::load),
    peer("regorus (RVM)", regorus::load),
    peer("cel", cel::load),
    Peer { reduced: true, ..peer("cedar-policy", cedar::load) },
    // 10,000 rules take gigabytes.
    Peer { reduced: true, most: 1000, ..peer("quamina", quamina::load) },
];

/// Rules of one type each, prepared in the engine's way.
struct Buckets<T>(Vec<(&'static str, Vec<(u32, T)>)>);

impl<T> Buckets<T> {
    fn new(work: &Work, mut make: impl FnMut(u32) -> Result<T, String>) -> Result<Self, String> {
        let mut all = Vec::new();
        for (event, ranks) in work.by_event() {
            let rules = ranks.into_iter().map(|rank| Ok((rank, make(rank)?)));
            all.push((event, rules.collect::<Result<Vec<_>, String>>()?));
        }
        Ok(Self(all))
    }

    fn of(&self, event: &str) -> &[(u32, T)] {
        self.0.iter().find(|(name, _)| *name == event).map_or(&[], |(_, rules)| rules)
    }
}

/// The type of an event that is parsed.
fn kind(event: &Value) -> &str {
    event.pointer("/event/type").and_then(Value::as_str).unwrap_or_default()
}

fn parse_all(events: &[String]) -> Result<Vec<Value>, String> {
    events.iter().map(|event| parse(event.as_bytes())).collect()
}

fn parse(event: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(event).map_err(said)
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
