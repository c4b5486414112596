//! The keys that a mapping under construction already has.

use std::collections::HashMap;

use hookc_schema::value::Member;

/// Mappings up to this size are searched, larger ones hashed.
const SEARCHED: usize = 16;

/// Finds a key among the members of one mapping in constant time.
#[derive(Debug, Default)]
pub(super) struct Keys {
    hashed: HashMap<String, usize>,
}

impl Keys {
    /// The index of the member with this key.
    pub(super) fn find(&self, members: &[Member], key: &str) -> Option<usize> {
        if members.len() <= SEARCHED {
            return members.iter().position(|member| member.key.node == key);
        }
        self.hashed.get(key).copied()
    }

    /// Records the member just pushed.
    pub(super) fn pushed(&mut self, members: &[Member]) {
        let new = match members.len() {
            0..=SEARCHED => return,
            len if self.hashed.is_empty() => 0..len,
            len => len - 1..len,
        };
        let named = |at: usize| Some((members.get(at)?.key.node.clone(), at));
        self.hashed.extend(new.filter_map(named));
    }
}
