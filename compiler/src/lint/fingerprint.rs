//! Hashes of conditions and actions that ignore spans, as equality does: equal values have equal
//! fingerprints. They are unkeyed, and never leave the process.

use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::HashMap;
use foldhash::fast::FixedState;
use hookc_schema::tree::SharedId;

use crate::ir::LowCond;

/// The fingerprints of conditions that several hooks share.
#[derive(Debug, Default)]
pub(crate) struct Prints(HashMap<SharedId, u64>);

impl Prints {
    /// Of a condition.
    pub(crate) fn condition(&mut self, cond: &LowCond) -> u64 {
        let id = cond.shared();
        if let Some(known) = id.and_then(|id| self.0.get(&id)) {
            return *known;
        }
        let print = self.contents(cond);
        self.0.extend(id.map(|id| (id, print)));
        print
    }

    fn contents(&mut self, cond: &LowCond) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        let to = &mut hasher;
        std::mem::discriminant(cond).hash(to);
        match cond {
            LowCond::Const(value) => value.hash(to),
            LowCond::All(parts) | LowCond::Any(parts) => {
                parts.len().hash(to);
                parts.iter().for_each(|part| self.condition(part).hash(to));
            }
            LowCond::Not(part) => self.condition(part).hash(to),
            LowCond::Test(test) => test.hash(to),
            LowCond::Effects(test) => test.hash(to),
            LowCond::Past(test) => test.hash(to),
            LowCond::Some(some) => {
                (&some.node.path, some.node.children).hash(to);
                self.condition(&some.node.cond).hash(to);
            }
        }
        hasher.finish()
    }
}

/// The fingerprint of anything whose equality ignores spans.
pub(super) fn fingerprint(value: &impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}
