//! Values that agents never send: almost a known one (W0627, `permission_mode == 'accept-edits'`), or
//! outside of a closed set (W0637, `source == 'begin'`). The sets are the documented values of all
//! agents. In a field whose values are only partly documented, a different spelling or a prefix of a
//! known value is reported.
//!
//! A timeout of a tool in seconds (W0615).

use hookc_schema::suggest::slip;
use hookc_schema::tree::{Leaf, Op, Right, Step};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::EventType;
use hookc_schema::{Code, Diagnostic, agents};
use hookc_vm::format::number;

use crate::names::listed_all;

/// A field at the root whose values are known.
struct Known {
    name: &'static str,
    /// The events that have these values; all if empty.
    events: &'static [&'static str],
    /// Values in addition to those in the data of the agents.
    values: &'static [&'static str],
    /// Whether no agent sends another value.
    closed: bool,
}

const KNOWN: [Known; 6] = [
    Known {
        name: "permission_mode",
        events: &[],
        values: &["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "delegate"],
        closed: true,
    },
    Known { name: "source", events: &["SessionStart"], values: &[], closed: true },
    Known { name: "trigger", events: &["PreCompact", "PostCompact"], values: &[], closed: true },
    Known { name: "trigger", events: &["Setup"], values: &[], closed: true },
    Known {
        name: "notification_type",
        events: &["Notification"],
        values: &["permission_prompt", "idle_prompt", "auth_success", "elicitation_dialog"],
        closed: false,
    },
    Known { name: "reason", events: &["SessionEnd"], values: &[], closed: true },
];

impl Known {
    fn find(field: &str, event: &str) -> Option<&'static Self> {
        let has = |known: &&Self| known.events.is_empty() || known.events.contains(&event);
        KNOWN.iter().find(|known| known.name == field && has(known))
    }

    fn values(&self, event: &str) -> Vec<&'static str> {
        let mut values = self.values.to_vec();
        for value in agents::matcher_values(event, self.name) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }
}

/// The shortest prefix of a value that counts as one.
const PREFIX: usize = 4;

/// The least plausible bound of a tool's timeout in milliseconds.
const LEAST: &str = "1000";

/// A bound of a tool's timeout, which is in milliseconds, that looks like seconds (W0615).
fn seconds(leaf: &Leaf, steps: &[Step], value: &Value) -> Option<Diagnostic> {
    let [Step::Name(input), Step::Name(timeout)] = steps else { return None };
    let Kind::Num(number) = &value.kind else { return None };
    let small = number::compare(&number.0, LEAST).is_lt() && number::compare(&number.0, "0").is_gt();
    let bound = matches!(leaf.op.node, Op::Gt | Op::Gte | Op::Lt | Op::Lte | Op::Eq | Op::Ne);
    if input != "tool_input" || timeout != "timeout" || !small || !bound {
        return None;
    }
    let what = format!("a timeout of {} milliseconds looks like seconds", number.0);
    let new = Diagnostic::new(Code::W0615, value.span, what).with_label("in milliseconds");
    Some(new.help(format!("write {}000", number.0)).note("agents send the timeouts of tools in milliseconds"))
}

/// Reports the values of a leaf that are almost known ones.
pub(super) fn check(leaf: &Leaf, event: &EventType) -> Vec<Diagnostic> {
    let Right::Value(value) = &leaf.right else { return Vec::new() };
    let steps = leaf.path.singular().unwrap_or_default();
    let new = seconds(leaf, &steps, value).into_iter();
    let values = match (leaf.op.node, &value.kind) {
        (Op::Eq | Op::Ne, Kind::Str(_)) | (Op::In, Kind::Seq(_)) => leaf.texts(),
        _ => return new.collect(),
    };
    let known = match &*steps {
        [Step::Name(field)] => Known::find(field, &event.name),
        _ => None,
    };
    let Some(known) = known else { return new.collect() };
    let (fold, names) = (leaf.ignore_case.is_some(), known.values(&event.name));
    let is_known = |text: &str| {
        text.is_empty()
            || names.iter().any(|known| *known == text || (fold && known.eq_ignore_ascii_case(text)))
    };
    let unknown = values.filter(|(_, text)| !is_known(text));
    let report = |(value, text): (&Value, &str)| match meant(text, &names) {
        Some(meant) => Some(almost(known.name, value, text, meant)),
        None => known.closed.then(|| never(known.name, value, text, &names)),
    };
    new.chain(unknown.filter_map(report)).collect()
}

fn almost(field: &str, value: &Value, text: &str, meant: &str) -> Diagnostic {
    let what = format!("`{field}` is never `{text}`");
    let new = Diagnostic::new(Code::W0627, value.span, what).with_label("not a known value");
    let span = value.span_within(0..text.len());
    match span.range().len() == text.len() {
        true => new.did_you_mean(Some(meant), span),
        false => new.help(format!("did you mean `{meant}`?")),
    }
}

fn never(field: &str, value: &Value, text: &str, values: &[&str]) -> Diagnostic {
    let what = format!("no agent documents the value `{text}` of `{field}`");
    let new = Diagnostic::new(Code::W0637, value.span, what).with_label("not a known value");
    new.help(format!("the values are {}", listed_all(values)))
}

/// The known value that was intended by an unknown one.
fn meant<'k>(text: &str, known: &[&'k str]) -> Option<&'k str> {
    if text.is_empty() || known.contains(&text) {
        return None;
    }
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let spelled = known.iter().find(|value| plain(value) == plain(text));
    let starts = |a: &str, b: &str| b.len() >= PREFIX && a.starts_with(b);
    let begins = || known.iter().find(|value| starts(value, text) || starts(text, value));
    spelled.or_else(begins).copied().or_else(|| slip(text, known.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn values_that_are_almost_known() {
        let modes = ["default", "plan", "acceptEdits", "bypassPermissions"];
        assert_eq!(meant("accept-edits", &modes), Some("acceptEdits"));
        assert_eq!(meant("BypassPermissions", &modes), Some("bypassPermissions"));
        assert_eq!(meant("bypass", &modes), Some("bypassPermissions"));
        assert_eq!(meant("start", &["startup", "clear"]), Some("startup"));
        assert_eq!(meant("automatic", &["manual", "auto"]), Some("auto"));
        for text in ["plan", "yolo", "", "de", "turbo"] {
            assert_eq!(meant(text, &modes), None, "{text}");
        }
    }
}
