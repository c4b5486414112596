//! What tests compare with.

use hookc_schema::value::{Kind, Value};

use crate::ir::{Test, TestRight};

/// Whether `eq` or `in` can be true for an absent value.
pub(super) fn may_be_null(right: &TestRight) -> bool {
    match right {
        TestRight::None | TestRight::Schema(_) => false,
        TestRight::Path(_) => true,
        TestRight::Value(value) => {
            value.kind == Kind::Null || value.items().iter().any(|item| item.kind == Kind::Null)
        }
    }
}

/// The text that a test compares with, in the same case.
pub(super) fn literal_text(test: &Test) -> Option<&str> {
    match &test.right {
        TestRight::Value(value) if !test.case.is_ignored() => value.as_str(),
        _ => None,
    }
}

pub(super) fn holds(items: &[Value], value: &Value) -> bool {
    items.iter().any(|item| item.same(value))
}
