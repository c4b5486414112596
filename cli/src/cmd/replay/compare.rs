//! Compares decisions with those of another policy or of the log.

use hookc_vm::{DecideError, Decision};

use super::tally::Place;

/// The comparable part of the decision about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cmd) enum DecisionSummary {
    /// The hooks that decided, each with its action; empty means no opinion.
    Hooks(Vec<(String, String)>),
    /// No decision.
    Error(String),
}

impl DecisionSummary {
    /// A decision; with `kinds`, only the kind of each action, as in logs.
    pub(super) fn new(decided: Result<&Decision<'_>, &DecideError>, kinds: bool) -> Self {
        let decision = match decided {
            Ok(decision) => decision,
            Err(error) => return Self::Error(error.to_string()),
        };
        let hook = |fired: hookc_vm::MatchedHook<'_>| {
            let label = fired.label().map_or_else(|| format!("rank {}", fired.rank()), str::to_owned);
            let mut action = String::new();
            if kinds {
                action.push_str(fired.kind());
            } else if let Err(error) = fired.render(&mut action) {
                action = format!("{} ({error})", fired.kind());
            }
            (label, action)
        };
        Self::Hooks(decision.hooks().map(hook).collect())
    }

    /// The decision in a log.
    pub(super) fn logged(hooks: impl Iterator<Item = (String, String)>) -> Self {
        Self::Hooks(hooks.collect())
    }

    pub(super) fn error(error: String) -> Self {
        Self::Error(error)
    }

    /// Whether both are equal: the same hooks with the same actions. Hooks without an id are
    /// numbered per policy, so their numbers are ignored. Errors are not compared by their text.
    fn same(&self, other: &Self) -> bool {
        let named = |label: &str| !label.contains('#') && !label.starts_with("rank ");
        match (self, other) {
            (Self::Hooks(own), Self::Hooks(others)) => {
                own.len() == others.len()
                    && own.iter().zip(others).all(|((label, action), (other, then))| {
                        action == then && (label == other || (!named(label) && !named(other)))
                    })
            }
            (Self::Error(_), Self::Error(_)) => true,
            _ => false,
        }
    }

    /// In a line.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Hooks(hooks) if hooks.is_empty() => "no opinion".to_owned(),
            Self::Hooks(hooks) => {
                let hooks: Vec<String> =
                    hooks.iter().map(|(label, action)| format!("{label} {action}")).collect();
                hooks.join("; ")
            }
            Self::Error(error) => format!("error: {error}"),
        }
    }
}

/// A decision that changed.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) at: Place,
    pub(super) event: String,
    pub(super) before: DecisionSummary,
    pub(super) after: DecisionSummary,
}

/// All changes, and the first ones of them.
#[derive(Debug)]
pub(super) struct Changes {
    limit: usize,
    /// Events that were compared.
    pub(super) compared: usize,
    /// Events without a decision to compare with.
    pub(super) incomparable: usize,
    pub(super) total: usize,
    pub(super) first: Vec<Change>,
}

impl Changes {
    /// The number of changes to keep.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, compared: 0, incomparable: 0, total: 0, first: Vec::new() }
    }

    /// An event without a known decision.
    pub(super) fn incomparable(&mut self) {
        self.incomparable += 1;
    }

    pub(super) fn compare(
        &mut self,
        at: Place,
        event: &str,
        before: DecisionSummary,
        after: DecisionSummary,
    ) {
        self.compared += 1;
        if before.same(&after) {
            return;
        }
        self.total += 1;
        if self.first.len() < self.limit {
            self.first.push(Change { at, event: event.to_owned(), before, after });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DecisionSummary;

    #[test]
    fn the_same_hooks_with_the_same_actions() {
        let hooks = |hooks: &[(&str, &str)]| {
            DecisionSummary::logged(
                hooks.iter().map(|(label, action)| ((*label).to_owned(), (*action).to_owned())),
            )
        };
        assert!(hooks(&[("a", "deny")]).same(&hooks(&[("a", "deny")])));
        assert!(hooks(&[("x#1", "deny")]).same(&hooks(&[("x#2", "deny")])));
        assert!(!hooks(&[("x#1", "deny")]).same(&hooks(&[("a", "deny")])));
        assert!(!hooks(&[("a", "deny")]).same(&hooks(&[("a", "ask")])));
        assert!(!hooks(&[]).same(&hooks(&[("a", "deny")])));
        assert!(!hooks(&[]).same(&DecisionSummary::error("e".to_owned())));
    }
}
