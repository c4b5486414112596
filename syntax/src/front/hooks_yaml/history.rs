//! Reads facts, and conditions about earlier events as keys: `formerly: {of: edited, since: tested}`.

use hookc_schema::decode::{Fields, YAML};
use hookc_schema::dialect::history::{FACT, PATTERN, SELECTION};
use hookc_schema::tree::{
    EventPattern, Extent, Fact, FactPattern, OutcomeWord, PartitionKey, Path, Selection, UncomparedSpan,
};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::cond::Outputs;
use super::hook;
use crate::expr::history;
use crate::expr::path::PathCache;
use crate::front::common;
use crate::limits;

/// Reads `facts:`. Invalid facts are reported, and have no patterns.
pub(super) fn facts(value: &Value, out: &mut Diagnostics) -> Vec<Fact> {
    if value.kind == Kind::Null {
        return Vec::new();
    }
    let Kind::Map(members) = &value.kind else {
        let new = YAML.wrong(value, "`facts`", "a mapping of names to patterns");
        out.push(new.help("write `edited: {event: PostToolUse, when: \"tool_name == 'Edit'\"}` below it"));
        return Vec::new();
    };
    let mut paths = PathCache::default();
    let fact = |member: &Member| {
        out.extend(history::unfit(&member.key));
        let patterns = patterns(&member.value, (&mut paths, out)).unwrap_or_default();
        Fact { name: member.key.clone(), patterns }
    };
    members.iter().map(fact).collect()
}

/// The pattern of a fact, or a list of them.
fn patterns(value: &Value, (paths, out): Outputs<'_>) -> Option<Vec<FactPattern>> {
    match &value.kind {
        Kind::Seq(items) if items.is_empty() => {
            let new = Diagnostic::new(Code::E0206, value.span, "a fact without patterns")
                .with_label("an empty list");
            out.push(new.help("write at least one pattern: `- {event: PostToolUse}`"));
            None
        }
        Kind::Seq(items) => {
            let read: Vec<_> =
                items.iter().map(|item| fact_pattern(item, (&mut *paths, &mut *out))).collect();
            read.into_iter().collect()
        }
        _ => fact_pattern(value, (paths, out)).map(|pattern| vec![pattern]),
    }
}

fn fact_pattern(value: &Value, (paths, out): Outputs<'_>) -> Option<FactPattern> {
    let start = out.errors();
    if let Kind::Str(_) = &value.kind {
        let new = YAML.wrong(value, FACT.what, "a mapping");
        out.push(
            new.help(
                "write `{event: PostToolUse}`, with `when:` or `condition:` if not every event is meant",
            ),
        );
        return None;
    }
    let fields = FACT.read(value, YAML, out)?;
    let pattern = pattern(&fields, value.span, limits::NESTING, (&mut *paths, &mut *out));
    let description = fields.string("description");
    let keep: Vec<Option<Path>> =
        fields.items("keep").iter().map(|item| kept(item, (&mut *paths, &mut *out))).collect();
    let keep = keep.into_iter().collect::<Option<Vec<_>>>();
    let pattern = FactPattern { pattern: pattern?, description, keep: keep? };
    (out.errors() == start).then_some(pattern)
}

fn kept(item: &Value, (paths, out): Outputs<'_>) -> Option<Path> {
    let Kind::Str(text) = &item.kind else { return None };
    let path = paths.parse(text, item.span, out)?;
    let wrong = history::no_value(&path, "`keep`");
    let is_sound = wrong.is_none();
    out.extend(wrong);
    is_sound.then_some(path)
}

/// Reads a selection from the value of `formerly`; `None` after an error was reported.
pub(super) fn selection(value: &Value, room: usize, (paths, out): Outputs<'_>) -> Option<Selection> {
    let start = out.errors();
    if !matches!(value.kind, Kind::Map(_)) {
        let new = YAML.wrong(value, "`formerly`", "a mapping");
        out.push(new.help("write `{of: edited, since: tested}`"));
        return None;
    }
    let fields = SELECTION.read(value, YAML, out)?;
    let of = fields.value("of").and_then(|value| events(value, "of", room, (&mut *paths, &mut *out)));
    let since = fields.value("since").map(|value| events(value, "since", room, (&mut *paths, &mut *out)));
    let within = fields.value("within").and_then(|value| extent(value, out));
    let now = fields.boolean("including_now").filter(|now| now.node);
    let selection = Selection {
        span: UncomparedSpan(value.span),
        of: of?,
        within,
        since: match since {
            Some(since) => Some(since?),
            None => None,
        },
        per: fields.word("per", PartitionKey::CHOICES),
        including_now: now.map(|now| Spanned::new((), now.span)),
    };
    (out.errors() == start).then_some(selection)
}

fn extent(value: &Value, out: &mut Diagnostics) -> Option<Spanned<Extent>> {
    let Kind::Str(text) = &value.kind else {
        let new = YAML.wrong(value, "`within`", "a duration as a string");
        out.push(match &value.kind {
            Kind::Num(number) => new.help(format!("add a unit: `{}m` for minutes", number.0)),
            _ => new.help("write `10m`, `turn` or `session`"),
        });
        return None;
    };
    match history::extent(&text.value, value.span) {
        Ok(extent) => Some(Spanned::new(extent, value.span)),
        Err(wrong) => {
            out.push(*wrong);
            None
        }
    }
}

/// The events of a selection: a name, or a pattern.
fn events(value: &Value, key: &str, room: usize, (paths, out): Outputs<'_>) -> Option<EventPattern> {
    let Kind::Str(text) = &value.kind else {
        let what = format!("`{key}`");
        if !matches!(value.kind, Kind::Map(_)) {
            let help = "write the name of a fact or an event type, or `{event: PostToolUse, condition: ...}`";
            out.push(YAML.wrong(value, &what, "a name or a mapping").help(help));
            return None;
        }
        let fields = PATTERN.read_as(&what, value, YAML, out)?;
        return pattern(&fields, value.span, room, (paths, out));
    };
    if let Some(wrong) = history::no_name(&text.value, value.span) {
        out.push(wrong);
        return None;
    }
    let names = vec![Spanned::new(text.value.clone(), value.span)];
    Some(EventPattern { span: UncomparedSpan(value.span), outcome: None, names, condition: None })
}

fn pattern(fields: &Fields<'_>, whole: Span, room: usize, (paths, out): Outputs<'_>) -> Option<EventPattern> {
    let start = out.errors();
    let names = fields.value("event").and_then(|value| hook::events(value, out));
    let condition = common::guard(fields, whole, room, (paths, out));
    let outcome = fields.word("outcome", OutcomeWord::CHOICES);
    let pattern = EventPattern { span: UncomparedSpan(whole), outcome, names: names?, condition };
    (out.errors() == start).then_some(pattern)
}
