//! The verdict of a hook about an event, in terms common to all agents, and the combination of
//! several verdicts.

use hookc_base::action::{InputMode, Modify};
use hookc_history::Verdict as Recorded;
use serde_json::{Map, Value};

/// The code of a guard that denies a call of an ability.
pub(crate) const DENIED: &str = "ABILITY_DENIED";

/// The permission. Ordered: of several, the greatest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Permission {
    /// Yes, without asking.
    Allow,
    /// The user decides.
    Ask,
    /// Not now: the call is deferred.
    Defer,
    /// No.
    Deny,
}

/// Another input for the tool.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Whether `fields` are the complete new input, or are merged over the old one.
    pub whole: bool,
    /// The fields.
    pub fields: Map<String, Value>,
}

impl Change {
    /// Fields that are merged over the old input.
    #[must_use]
    pub fn of_fields(fields: Map<String, Value>) -> Self {
        Self { whole: false, fields }
    }
}

/// The verdict of one hook, or of all hooks together. The default has no effect.
///
/// ```
/// use hookc_runtime::verdict::{Permission, Verdict, merge};
///
/// let (all, conflicts) = merge(&[Verdict::deny("no"), Verdict::context("by the way")]);
/// assert_eq!((all.permission, all.contexts.len()), (Some(Permission::Deny), 1));
/// assert!(conflicts.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// The permission.
    pub permission: Option<Permission>,
    /// Why, for the model and the user.
    pub reasons: Vec<String>,
    /// With another input.
    pub change: Option<Change>,
    /// Additional context for the model.
    pub contexts: Vec<String>,
    /// The message for the user.
    pub messages: Vec<String>,
    /// The agent is to stop altogether, for this reason.
    pub stop: Option<String>,
    /// Another output of the tool.
    pub output: Option<Value>,
    /// A replacement for the user's message.
    pub prompt: Option<String>,
    /// Control sequences that Claude Code writes to the terminal: a notification, a title, a bell.
    pub terminal: Option<String>,
    /// Other fields of the decision about a request, passed through with it.
    pub decision: Map<String, Value>,
    /// Other fields of `hookSpecificOutput`, passed through.
    pub more: Map<String, Value>,
}

impl Verdict {
    /// Denied, with this reason.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::new(Permission::Deny, Some(reason.into()))
    }

    /// This permission, with a reason or without.
    #[must_use]
    pub fn new(permission: Permission, reason: Option<String>) -> Self {
        Self { permission: Some(permission), reasons: reason.into_iter().collect(), ..Self::default() }
    }

    /// The change of an input.
    pub(crate) fn changed(modify: &Modify) -> Self {
        let fields = modify.input.clone().unwrap_or_default();
        let change = Change { whole: modify.mode == InputMode::Replace, fields };
        Self { change: Some(change), messages: modify.reason.iter().cloned().collect(), ..Self::default() }
    }

    /// What a history records of it.
    pub(crate) fn to_recorded(&self) -> Recorded {
        match self.permission {
            Some(Permission::Deny) => Recorded::Deny,
            _ if self.stop.is_some() => Recorded::Deny,
            Some(Permission::Ask | Permission::Defer) => Recorded::Ask,
            Some(Permission::Allow) => Recorded::Allow,
            None => Recorded::None,
        }
    }

    /// Only a message for the user.
    #[must_use]
    pub fn message(text: impl Into<String>) -> Self {
        Self { messages: vec![text.into()], ..Self::default() }
    }

    /// Only context for the model.
    #[must_use]
    pub fn context(text: impl Into<String>) -> Self {
        Self { contexts: vec![text.into()], ..Self::default() }
    }

    /// Adds a message for the user.
    #[must_use]
    pub fn with_message(mut self, text: impl Into<String>) -> Self {
        self.messages.push(text.into());
        self
    }

    /// Whether it has no effect.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it only has something for the user: a message, or control sequences for the terminal.
    pub(crate) fn is_message_only(&self) -> bool {
        let rest = || Self { messages: Vec::new(), terminal: None, ..self.clone() };
        (!self.messages.is_empty() || self.terminal.is_some()) && rest().is_silent()
    }

    /// Why hook `label` prevents the operation from continuing normally: it denies, defers or stops
    /// it, or requires a confirmation.
    #[must_use]
    pub fn refusal(&self, label: &str) -> Option<String> {
        let refused = self.permission >= Some(Permission::Ask) || self.stop.is_some();
        let stop = || self.stop.clone().filter(|why| !why.is_empty());
        refused.then(|| self.reason().or_else(stop).unwrap_or_else(|| format!("hook {label} denies")))
    }

    /// The reasons, joined.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        joined(&self.reasons)
    }
}

/// Texts joined by line breaks; `None` without any text.
#[must_use]
pub fn joined(texts: &[impl AsRef<str>]) -> Option<String> {
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Combines several verdicts in the order of the hooks, and returns conflicts that only the order
/// can resolve.
///
/// The strictest permission wins, with the reasons and other decisions of the hooks that requested
/// it. Contexts, messages and control sequences add up. If two hooks change one field, the output, the
/// user's message or other fields differently, the first one wins, and the conflict is reported.
#[must_use]
pub fn merge<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> (Verdict, Vec<String>) {
    let (mut verdict, mut conflicts) = (Verdict::default(), Vec::new());
    for one in verdicts {
        if one.permission > verdict.permission {
            verdict.permission = one.permission;
            verdict.reasons.clear();
            verdict.decision.clear();
        }
        if one.permission == verdict.permission {
            verdict.reasons.extend(one.reasons.iter().cloned());
            add_fields(&mut verdict.decision, &one.decision, "", &mut conflicts);
        }
        verdict.contexts.extend(one.contexts.iter().cloned());
        verdict.messages.extend(one.messages.iter().cloned());
        verdict.stop = verdict.stop.or_else(|| one.stop.clone());
        if let Some(terminal) = &one.terminal {
            verdict.terminal.get_or_insert_default().push_str(terminal);
        }
        if let Some(change) = &one.change {
            add_change(&mut verdict.change, change, &mut conflicts);
        }
        first(&mut verdict.output, one.output.as_ref(), "the tool's output", &mut conflicts);
        first(&mut verdict.prompt, one.prompt.as_ref(), "the user's message", &mut conflicts);
        add_fields(&mut verdict.more, &one.more, "", &mut conflicts);
    }
    (verdict, conflicts)
}

fn first<T: Clone + PartialEq>(
    merged: &mut Option<T>,
    one: Option<&T>,
    what: &str,
    conflicts: &mut Vec<String>,
) {
    match (merged.as_ref(), one) {
        (Some(all), Some(one)) if all != one => conflicts.push(disagree(what)),
        (None, Some(one)) => *merged = Some(one.clone()),
        _ => {}
    }
}

fn add_change(change: &mut Option<Change>, one: &Change, conflicts: &mut Vec<String>) {
    match change {
        None => *change = Some(one.clone()),
        Some(change) if change.whole || one.whole => {
            if change != one {
                conflicts.push(disagree("the tool's whole input"));
            }
        }
        Some(change) => add_fields(&mut change.fields, &one.fields, "input field ", conflicts),
    }
}

fn add_fields(
    object: &mut Map<String, Value>,
    one: &Map<String, Value>,
    what: &str,
    conflicts: &mut Vec<String>,
) {
    for (name, value) in one {
        match object.get(name) {
            Some(old) if old != value => conflicts.push(disagree(&format!("{what}`{name}`"))),
            Some(_) => {}
            None => {
                object.insert(name.clone(), value.clone());
            }
        }
    }
}

fn disagree(what: &str) -> String {
    format!("two hooks change {what} differently: the first one wins")
}

#[cfg(test)]
mod tests {
    use super::{Change, Permission, Verdict, merge};
    use serde_json::{Map, json};

    fn change(whole: bool, value: serde_json::Value) -> Verdict {
        let fields = value.as_object().cloned().unwrap_or_else(Map::new);
        Verdict { change: Some(Change { whole, fields }), ..Verdict::default() }
    }

    #[test]
    fn the_strongest_permission_with_its_own_reasons() {
        let say = |permission, reason: &str| Verdict::new(permission, Some(reason.to_owned()));
        let verdicts = [say(Permission::Allow, "a"), say(Permission::Deny, "b"), say(Permission::Ask, "c")];
        let (merged, conflicts) = merge(&verdicts);
        assert_eq!((merged.permission, merged.reason().as_deref()), (Some(Permission::Deny), Some("b")));
        let both = [say(Permission::Deny, "x"), Verdict::context("told"), say(Permission::Deny, "y")];
        let (merged, _) = merge(&both);
        assert_eq!((merged.reason().as_deref(), merged.contexts.len()), (Some("x\ny"), 1));
        assert!(conflicts.is_empty() && merge([]).0.is_silent());
    }

    #[test]
    fn changes_add_up_and_the_first_of_two_wins() {
        let verdicts = [change(false, json!({"a": 1})), change(false, json!({"a": 2, "b": 3}))];
        let (merged, conflicts) = merge(&verdicts);
        assert_eq!(merged.change.unwrap().fields, *json!({"a": 1, "b": 3}).as_object().unwrap());
        assert_eq!(conflicts, ["two hooks change input field `a` differently: the first one wins"]);
        let same = [change(true, json!({"a": 1})), change(true, json!({"a": 1}))];
        assert!(merge(&same).1.is_empty());
        let bell = |text: &str| Verdict { terminal: Some(text.to_owned()), ..Verdict::default() };
        assert_eq!(merge(&[bell("a"), Verdict::deny("no"), bell("b")]).0.terminal.as_deref(), Some("ab"));
        let whole = [change(true, json!({"a": 1})), change(false, json!({"b": 1}))];
        let (merged, conflicts) = merge(&whole);
        assert_eq!((merged.change.unwrap().fields.len(), conflicts.len()), (1, 1));
    }
}
