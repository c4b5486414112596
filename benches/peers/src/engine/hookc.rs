//! hookc itself.

use hookc_benches::judge;
use hookc_vm::{DecideOptions, Module, Scratch};

use super::{Engine, said};
use crate::work::Work;

struct Hookc {
    module: Module,
    scratch: Scratch,
    ranks: Vec<(&'static str, Vec<u32>)>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let module = Module::load(judge::build(&work.yaml)?).map_err(said)?;
    Ok(Box::new(Hookc { module, scratch: Scratch::new(), ranks: work.by_event() }))
}

impl Engine for Hookc {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let decision = self.module.decide(&mut self.scratch, event, &DecideOptions::default()).map_err(said)?;
        let Some(hook) = decision.hooks().next() else { return Ok(None) };
        let ranks = self.ranks.iter().find(|(name, _)| *name == decision.event());
        Ok(ranks.and_then(|(_, ranks)| ranks.get(hook.rank() as usize)).copied())
    }
}
