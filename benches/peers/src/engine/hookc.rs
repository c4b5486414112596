//! hookc itself.

use hookc_benches::judge;
use hookc_vm::{DecideOptions, Decision, Module, Scratch};
use serde_json::Value;

use super::{Engine, parse_all, said};
use crate::work::Work;

struct Hookc {
    module: Module,
    scratch: Scratch,
    ranks: Ranks,
    kept: Vec<Value>,
}

/// The ranks of each event type's rules.
type Ranks = Vec<(&'static str, Vec<u32>)>;

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let module = Module::load(judge::build(&work.yaml)?).map_err(said)?;
    Ok(Box::new(Hookc { module, scratch: Scratch::new(), ranks: work.by_event(), kept: Vec::new() }))
}

impl Engine for Hookc {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let decision = self.module.decide(&mut self.scratch, event, &DecideOptions::default());
        Ok(first(&self.ranks, &decision.map_err(said)?))
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = parse_all(events)?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        let options = DecideOptions::default();
        let decision = self.module.decide_value(&mut self.scratch, &self.kept[event], &options);
        Ok(first(&self.ranks, &decision.map_err(said)?))
    }
}

fn first(ranks: &Ranks, decision: &Decision<'_>) -> Option<u32> {
    let hook = decision.hooks().next()?;
    let (_, ranks) = ranks.iter().find(|(name, _)| *name == decision.event())?;
    ranks.get(hook.rank() as usize).copied()
}
