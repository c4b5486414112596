//! Predicates about effects as keys of conditions: `reads: {of: ['@secrets'], except: ['test/**']}`.

use hookc_schema::decode::{Key, YAML};
use hookc_schema::dialect::hooks::CONDITION;
use hookc_schema::dialect::predicates::{GUARD, ONLY_GUARD};
use hookc_schema::tree::{Guard, Pattern, Predicate, PredicateName, UncomparedSpan, Verb};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

/// Reads a predicate from its key and value; `None` after an error was reported.
pub(super) fn predicate(name: PredicateName, head: &Member, out: &mut Diagnostics) -> Option<Predicate> {
    let (key, value) = (CONDITION.key(name.as_str())?, &head.value);
    if value.kind == Kind::Null {
        out.push(empty(head));
        return None;
    }
    Some(match name {
        PredicateName::Guard { verb, is_possible } => {
            Predicate::Guard(guard((verb, is_possible), key, head, out)?)
        }
        PredicateName::Only => Predicate::Only(guards(key, value, out)?),
        PredicateName::Unknown => {
            if value.kind != Kind::Bool(true) {
                let new = YAML.wrong(value, "`unknown`", "`true`");
                out.push(new.help("write `unknown: true`, or `not: {unknown: true}`"));
                return None;
            }
            Predicate::Unknown
        }
        PredicateName::Mentions => Predicate::Mentions(list(key, value, out)?),
        PredicateName::Passed => Predicate::Passed(list(key, value, out)?),
    })
}

fn empty(head: &Member) -> Diagnostic {
    let name = &head.key.node;
    let new = Diagnostic::new(Code::E0206, head.value.span, format!("`{name}` is empty")).with_label("empty");
    new.help(match name.as_str() {
        "unknown" => "write `unknown: true`".to_owned(),
        "only" => "write its guards as a list; `only: []` is true of what prints nothing but its own words"
            .to_owned(),
        _ => format!("write its patterns as a list; `{name}: []` has none"),
    })
}

/// Reads a guard: a list of patterns, or a mapping of lists.
fn guard(
    (verb, is_possible): (Verb, bool),
    key: &Key,
    head: &Member,
    out: &mut Diagnostics,
) -> Option<Guard> {
    if !key.takes(&head.value, YAML, out) {
        return None;
    }
    let start = out.errors();
    let mut guard = Guard::new(UncomparedSpan(head.key.span.to(head.value.span)), verb, is_possible);
    match &head.value.kind {
        Kind::Seq(items) => {
            // A union checks no items.
            for item in items {
                let _ = YAML.text(item, "a pattern", out);
            }
            guard.of = patterns(items);
        }
        _ => {
            let fields = GUARD.read_as(&format!("`{}`", head.key.node), &head.value, YAML, out)?;
            let list = |name: &str| patterns(fields.items(name));
            guard.of = list("of");
            guard.except = list("except");
            guard.by = list("by");
            guard.not_by = list("not_by");
        }
    }
    (out.errors() == start).then_some(guard)
}

fn guards(key: &Key, value: &Value, out: &mut Diagnostics) -> Option<Vec<Guard>> {
    if !key.takes(value, YAML, out) {
        return None;
    }
    let Kind::Seq(items) = &value.kind else { return None };
    let read: Vec<Option<Guard>> = items.iter().map(|item| only_guard(item, out)).collect();
    read.into_iter().collect()
}

/// Reads an item of `only`: a mapping with one key.
fn only_guard(item: &Value, out: &mut Diagnostics) -> Option<Guard> {
    let members = YAML.mapping(item, ONLY_GUARD.what, out)?;
    let [head] = members else {
        let span = members.get(1).map_or(item.span, |second| second.key.span);
        let new = Diagnostic::new(Code::E0205, span, "an item of `only` is one guard");
        out.push(new.with_label("expected one key").help("write each guard as an item: `- reads: ['./**']`"));
        return None;
    };
    let name = Verb::ALL.iter().find(|verb| verb.plural() == head.key.node);
    let (Some(verb), Some(key)) = (name, ONLY_GUARD.key(&head.key.node)) else {
        out.push(ONLY_GUARD.unknown(ONLY_GUARD.what, &head.key));
        return None;
    };
    guard((*verb, false), key, head, out)
}

fn list(key: &Key, value: &Value, out: &mut Diagnostics) -> Option<Vec<Pattern>> {
    let Kind::Seq(items) = &value.kind else {
        let sound = key.takes(value, YAML, out);
        debug_assert!(!sound, "it takes lists alone");
        return None;
    };
    key.takes(value, YAML, out).then(|| patterns(items))
}

fn patterns(items: &[Value]) -> Vec<Pattern> {
    let pattern = |item: &Value| match &item.kind {
        Kind::Str(text) => Some(Spanned::new(text.clone(), item.span)),
        _ => None,
    };
    items.iter().filter_map(pattern).collect()
}
