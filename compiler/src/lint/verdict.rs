//! What the action of a hook decides about an event.

use hookc_base::action::Kind;

/// A verdict; the stricter one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Verdict {
    /// No verdict.
    None,
    /// `allow`
    Allow,
    /// `ask`
    Ask,
    /// `deny`
    Deny,
}

impl Verdict {
    /// The verdict of a kind of action.
    pub(super) fn from_kind(kind: &str) -> Self {
        match Kind::parse(kind) {
            Some(Kind::Allow) => Self::Allow,
            Some(Kind::Ask) => Self::Ask,
            Some(Kind::Deny) => Self::Deny,
            _ => Self::None,
        }
    }

    /// Whether it restricts the agent.
    pub(super) fn restricts(self) -> bool {
        self >= Self::Ask
    }
}
