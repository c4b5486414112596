//! A replay for programs: one object.

use serde_json::{Map, Value, json};

use super::compare::{Change, Changes, DecisionSummary};
use super::tally::{Place, Tally, percent};

pub(super) fn report(tally: &Tally, changes: Option<&Changes>) -> String {
    let (answered, decided, failed) = (tally.answered(), tally.decided(), tally.failed());
    let mut report = json!({
        "events": answered + failed,
        "decided": decided,
        "no_opinion": answered - decided,
        "without_event": tally.without_event,
        "torn": tally.torn.map_or(0, |(lines, _)| lines),
        "types": types(tally),
        "hooks": hooks(tally),
        "never": tally.never().map(|hook| hook.label.as_str()).collect::<Vec<_>>(),
        "errors": errors(tally),
    });
    if let (Value::Object(report), Some(changes)) = (&mut report, changes) {
        report.insert("compared".to_owned(), changes.compared.into());
        report.insert("not_compared".to_owned(), changes.incomparable.into());
        report.insert("changed".to_owned(), changes.total.into());
        report.insert("changes".to_owned(), changes.first.iter().map(|one| change(tally, one)).collect());
    }
    format!("{report}\n")
}

fn types(tally: &Tally) -> Map<String, Value> {
    let one = |seen: &super::tally::TypeHits| json!({"events": seen.events, "decided": seen.decided});
    tally.types.iter().map(|(name, seen)| (name.clone(), one(seen))).collect()
}

fn hooks(tally: &Tally) -> Vec<Value> {
    let total = tally.events();
    let fired = tally.fired().into_iter().filter_map(|hook| Some((hook, hook.lines?)));
    let one = |(hook, (first, last)): (&super::tally::HookHits, (Place, Place))| {
        json!({
            "hook": hook.label,
            "mode": hook.mode.name(),
            "hits": hook.hits,
            "share": percent(hook.hits, total),
            "first": place(tally, first),
            "last": place(tally, last),
        })
    };
    fired.map(one).collect()
}

fn errors(tally: &Tally) -> Map<String, Value> {
    let one = |errors: &super::tally::Errors| json!({"events": errors.events, "first": place(tally, errors.first), "message": errors.message});
    tally.errors.iter().map(|(kind, errors)| ((*kind).to_owned(), one(errors))).collect()
}

fn place(tally: &Tally, place: Place) -> Value {
    let mut members = Map::new();
    members.extend(tally.file(place).map(|file| ("file".to_owned(), file.into())));
    members.insert("line".to_owned(), place.spot.line.into());
    members.extend(place.spot.event.map(|event| ("event".to_owned(), event.into())));
    Value::Object(members)
}

fn change(tally: &Tally, change: &Change) -> Value {
    json!({
        "at": place(tally, change.at),
        "event": change.event,
        "before": summary(&change.before),
        "after": summary(&change.after),
    })
}

fn summary(summary: &DecisionSummary) -> Value {
    match summary {
        DecisionSummary::Error(error) => json!({"error": error}),
        DecisionSummary::Hooks(hooks) => {
            let action = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
            hooks.iter().map(|(label, text)| json!({"hook": label, "action": action(text)})).collect()
        }
    }
}
