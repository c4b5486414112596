//! Texts that a value has anywhere: one automaton per probe.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::kind;
use crate::module::Tables;
use crate::module::format::Probe;

/// The automata of a module, each built when it is first needed. Building is
/// linear in the literals.
#[derive(Debug)]
pub(crate) struct Automata(Box<[(u32, OnceLock<Option<AhoCorasick>>)]>);

impl Automata {
    pub(crate) fn new(probes: &[Probe]) -> Self {
        let literal = |(_, probe): &(u32, &Probe)| matches!(probe.kind, kind::HAS | kind::HAS_FOLD);
        Self((0..).zip(probes).filter(literal).map(|(number, _)| (number, OnceLock::new())).collect())
    }

    /// The automaton of a probe; its patterns are the probe's literals. `None`
    /// if it is larger than an automaton can be.
    fn get(&self, number: u32, probe: &Probe, tables: &Tables<'_>) -> Option<&AhoCorasick> {
        let place = self.0.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let (_, cell) = self.0.get(place)?;
        let build = || {
            let texts = tables.literals_of(probe).iter().map(|literal| tables.bytes(literal.text.get()));
            AhoCorasick::new(texts).ok()
        };
        cell.get_or_init(build).as_ref()
    }

    /// Hands the place, among the probe's literals, of each occurrence in
    /// `text` to `each`; every place where no automaton could be built.
    pub(super) fn find(
        &self,
        (number, probe): (u32, &Probe),
        tables: &Tables<'_>,
        text: &str,
        each: &mut dyn FnMut(usize),
    ) {
        match self.get(number, probe, tables) {
            Some(automaton) => {
                automaton.find_overlapping_iter(text).for_each(|found| each(found.pattern().as_usize()))
            }
            None => (0..tables.literals_of(probe).len()).for_each(each),
        }
    }
}
