//! What a hook says about an event, in the terms that all agents share, and how
//! several of them become one.

use serde_json::{Map, Value};

/// May it happen? Ordered: of several, the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Yes, without asking.
    Allow,
    /// The user decides.
    Ask,
    /// Not now: the call is put off.
    Defer,
    /// No.
    Deny,
}

/// Another input for the tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Whether `fields` are all of the new input, or are put over the old one.
    pub whole: bool,
    /// The fields.
    pub fields: Map<String, Value>,
}

/// What a hook, or all hooks together, say. The default says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// May it happen?
    pub permission: Option<Permission>,
    /// Why, for the model and the user.
    pub reasons: Vec<String>,
    /// With another input.
    pub change: Option<Change>,
    /// What the model is told beside.
    pub contexts: Vec<String>,
    /// What the user is told.
    pub messages: Vec<String>,
    /// The agent is to stop altogether, for this reason.
    pub stop: Option<String>,
    /// Another output of the tool.
    pub output: Option<Value>,
    /// Another message in place of the user's.
    pub prompt: Option<String>,
    /// Other fields of the decision about a request, passed through with it.
    pub decision: Map<String, Value>,
    /// Other fields of `hookSpecificOutput`, passed through.
    pub more: Map<String, Value>,
}

impl Verdict {
    /// Refused, for this reason.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::of(Permission::Deny, Some(reason.into()))
    }

    /// This permission, with a reason or without.
    #[must_use]
    pub fn of(permission: Permission, reason: Option<String>) -> Self {
        Self { permission: Some(permission), reasons: reason.into_iter().collect(), ..Self::default() }
    }

    /// Tells the user something and says nothing else.
    #[must_use]
    pub fn message(text: impl Into<String>) -> Self {
        Self { messages: vec![text.into()], ..Self::default() }
    }

    /// Tells the model something and says nothing else.
    #[must_use]
    pub fn context(text: impl Into<String>) -> Self {
        Self { contexts: vec![text.into()], ..Self::default() }
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it tells the user something and says nothing else.
    pub(crate) fn is_told_only(&self) -> bool {
        !self.messages.is_empty() && Self { messages: Vec::new(), ..self.clone() }.is_silent()
    }

    /// Why what hook `label` was asked about is not to go on as if nothing had
    /// been said: it is refused, put off, stopped altogether, or somebody would have
    /// to be asked.
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

/// Texts as one, a line break between them; `None` for no text at all.
#[must_use]
pub fn joined(texts: &[impl AsRef<str>]) -> Option<String> {
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Several verdicts as one, in the order of the hooks, and what they disagree
/// about where nothing but the order can settle it.
///
/// The strongest permission counts, with the reasons of those that said it and
/// what else they decided.
/// Contexts and messages add up. Of two changes of one field, two outputs, two
/// messages in place of the user's or two other fields, the first counts, and a
/// difference is reported.
#[must_use]
pub fn merge<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> (Verdict, Vec<String>) {
    let (mut all, mut conflicts) = (Verdict::default(), Vec::new());
    for one in verdicts {
        if one.permission > all.permission {
            all.permission = one.permission;
            all.reasons.clear();
            all.decision.clear();
        }
        if one.permission == all.permission {
            all.reasons.extend(one.reasons.iter().cloned());
            add_fields(&mut all.decision, &one.decision, "", &mut conflicts);
        }
        all.contexts.extend(one.contexts.iter().cloned());
        all.messages.extend(one.messages.iter().cloned());
        all.stop = all.stop.or_else(|| one.stop.clone());
        if let Some(change) = &one.change {
            add_change(&mut all.change, change, &mut conflicts);
        }
        first(&mut all.output, one.output.as_ref(), "the tool's output", &mut conflicts);
        first(&mut all.prompt, one.prompt.as_ref(), "the user's message", &mut conflicts);
        add_fields(&mut all.more, &one.more, "", &mut conflicts);
    }
    (all, conflicts)
}

fn first<T: Clone + PartialEq>(
    all: &mut Option<T>,
    one: Option<&T>,
    what: &str,
    conflicts: &mut Vec<String>,
) {
    match (all.as_ref(), one) {
        (Some(all), Some(one)) if all != one => conflicts.push(disagree(what)),
        (None, Some(one)) => *all = Some(one.clone()),
        _ => {}
    }
}

fn add_change(all: &mut Option<Change>, one: &Change, conflicts: &mut Vec<String>) {
    match all {
        None => *all = Some(one.clone()),
        Some(all) if all.whole || one.whole => {
            if all != one {
                conflicts.push(disagree("the tool's whole input"));
            }
        }
        Some(all) => add_fields(&mut all.fields, &one.fields, "input field ", conflicts),
    }
}

fn add_fields(
    all: &mut Map<String, Value>,
    one: &Map<String, Value>,
    what: &str,
    conflicts: &mut Vec<String>,
) {
    for (name, value) in one {
        match all.get(name) {
            Some(old) if old != value => conflicts.push(disagree(&format!("{what}`{name}`"))),
            Some(_) => {}
            None => {
                all.insert(name.clone(), value.clone());
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
        let say = |permission, reason: &str| Verdict::of(permission, Some(reason.to_owned()));
        let all = [say(Permission::Allow, "a"), say(Permission::Deny, "b"), say(Permission::Ask, "c")];
        let (merged, conflicts) = merge(&all);
        assert_eq!((merged.permission, merged.reason().as_deref()), (Some(Permission::Deny), Some("b")));
        let both = [say(Permission::Deny, "x"), Verdict::context("told"), say(Permission::Deny, "y")];
        let (merged, _) = merge(&both);
        assert_eq!((merged.reason().as_deref(), merged.contexts.len()), (Some("x\ny"), 1));
        assert!(conflicts.is_empty() && merge([]).0.is_silent());
    }

    #[test]
    fn changes_add_up_and_the_first_of_two_counts() {
        let all = [change(false, json!({"a": 1})), change(false, json!({"a": 2, "b": 3}))];
        let (merged, conflicts) = merge(&all);
        assert_eq!(merged.change.unwrap().fields, *json!({"a": 1, "b": 3}).as_object().unwrap());
        assert_eq!(conflicts, ["two hooks change input field `a` differently: the first one wins"]);
        let same = [change(true, json!({"a": 1})), change(true, json!({"a": 1}))];
        assert!(merge(&same).1.is_empty());
        let whole = [change(true, json!({"a": 1})), change(false, json!({"b": 1}))];
        let (merged, conflicts) = merge(&whole);
        assert_eq!((merged.change.unwrap().fields.len(), conflicts.len()), (1, 1));
    }
}
