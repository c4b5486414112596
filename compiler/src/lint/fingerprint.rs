//! Hashes of conditions and actions that ignore spans, as equality does: equal values have equal
//! fingerprints. They are unkeyed, and never leave the process.

use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::HashMap;
use foldhash::fast::{FixedState, FoldHasher};
use hookc_schema::tree::SharedId;
use hookc_schema::value::{Kind, Value};

use crate::ir::{CheckedAction, LowCond, Rendered, Test, TestRight};

fn hasher() -> FoldHasher<'static> {
    FixedState::default().build_hasher()
}

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
        let mut hasher = hasher();
        let to = &mut hasher;
        std::mem::discriminant(cond).hash(to);
        match cond {
            LowCond::Const(value) => value.hash(to),
            LowCond::All(parts) | LowCond::Any(parts) => {
                parts.len().hash(to);
                parts.iter().for_each(|part| self.condition(part).hash(to));
            }
            LowCond::Not(part) => self.condition(part).hash(to),
            LowCond::Test(test) => hash_test(&test.node, to),
            LowCond::Effects(test) => test.node.hash(to),
            LowCond::Some(some) => {
                (&some.node.path, some.node.children).hash(to);
                self.condition(&some.node.cond).hash(to);
            }
        }
        hasher.finish()
    }
}

/// Of an action, and a condition by its own fingerprint.
pub(super) fn hook(cond: u64, action: &CheckedAction) -> u64 {
    let mut hasher = hasher();
    cond.hash(&mut hasher);
    hash_action(action, &mut hasher);
    hasher.finish()
}

/// Of a test.
pub(super) fn test(test: &Test) -> u64 {
    let mut hasher = hasher();
    hash_test(test, &mut hasher);
    hasher.finish()
}

fn hash_action(action: &CheckedAction, to: &mut FoldHasher<'static>) {
    action.kind.hash(to);
    for (name, param) in &action.params {
        name.hash(to);
        hash_rendered(&param.value, to);
    }
}

fn hash_test(test: &Test, to: &mut FoldHasher<'static>) {
    (&test.path, test.op, test.fold).hash(to);
    match &test.right {
        TestRight::None => 0u8.hash(to),
        TestRight::Value(value) => hash_value(value, to),
        TestRight::Path(path) => path.hash(to),
        TestRight::Schema(schema) => schema.hash(to),
    }
}

fn hash_value(value: &Value, to: &mut FoldHasher<'static>) {
    std::mem::discriminant(&value.kind).hash(to);
    match &value.kind {
        Kind::Null => {}
        Kind::Bool(value) => value.hash(to),
        Kind::Num(number) => number.hash(to),
        Kind::Str(text) => text.value.hash(to),
        Kind::Seq(items) => {
            items.len().hash(to);
            items.iter().for_each(|item| hash_value(item, to));
        }
        Kind::Map(members) => {
            members.len().hash(to);
            for member in members {
                member.key.node.hash(to);
                hash_value(&member.value, to);
            }
        }
    }
}

fn hash_rendered(value: &Rendered, to: &mut FoldHasher<'static>) {
    std::mem::discriminant(value).hash(to);
    match value {
        Rendered::Const(value) => hash_value(value, to),
        Rendered::Slot(path, default) => {
            path.hash(to);
            default.iter().for_each(|default| hash_value(default, to));
        }
        Rendered::Because(reasons) => {
            reasons.len().hash(to);
            reasons.iter().for_each(|reason| reason.effect.node.hash(to));
        }
        Rendered::Text(parts) | Rendered::Seq(parts) => {
            parts.len().hash(to);
            parts.iter().for_each(|part| hash_rendered(part, to));
        }
        Rendered::Map(members) => {
            members.len().hash(to);
            for (key, value) in members {
                key.hash(to);
                hash_rendered(value, to);
            }
        }
    }
}
