//! Hooks against each other at one event type: hidden ones (W0602), repeated ones (W0607).

use foldhash::HashMap;
use hookc_schema::tree::{Family, Layer, Mode};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::covered::Covers;
use super::fingerprint::fingerprint;
use super::verdict::Verdict;
use crate::link::{LinkedEvent, LinkedHook};

/// Reports hooks that never decide, or that repeat another one.
pub(super) fn lint(event: &LinkedEvent, compared: &mut usize, out: &mut Diagnostics) {
    match event.strategy {
        Strategy::First => first(event, compared, out),
        Strategy::All => {
            repeated(event, out);
            if event.family == Family::Agent {
                permissions(event, compared, out);
            }
        }
    }
}

/// If the first match decides, no later hook is reached after a hook that always matches, or after
/// one that matches whenever it does.
fn first(event: &LinkedEvent, compared: &mut usize, out: &mut Diagnostics) {
    let mut cover: Option<&LinkedHook> = None;
    let mut seen: HashMap<u64, &LinkedHook> = HashMap::default();
    let mut before = Covers::default();
    for hook in &event.hooks {
        if let Some(before) = cover {
            // A shipped hook is there to be overridden.
            if hook.layer != Layer::Builtin || before.layer == Layer::Builtin {
                out.push(hidden(event, before, hook));
            }
            continue;
        }
        if hook.mode == Mode::Enforce && hook.certain == Some(true) {
            cover = Some(hook);
        }
        if hook.certain.is_some() {
            continue;
        }
        match seen.get(&hook.print) {
            Some(before) if before.layer == hook.layer && before.cond == hook.cond => {
                out.push(never_decides(event, before, hook));
                continue;
            }
            Some(_) => {}
            None if hook.mode == Mode::Enforce => {
                seen.insert(hook.print, hook);
            }
            None => {}
        }
        let cover = before.find(hook, |_| true, compared);
        out.extend((!cover.is_empty()).then(|| covered(event, &cover, hook)));
        if hook.mode == Mode::Enforce {
            before.add(hook);
        }
    }
}

/// If every match decides, two hooks with the same condition and action execute it twice.
fn repeated(event: &LinkedEvent, out: &mut Diagnostics) {
    let mut seen: HashMap<u64, &LinkedHook> = HashMap::default();
    for hook in &event.hooks {
        let key = fingerprint(&(hook.print, &hook.action));
        let is_same = |before: &LinkedHook, hook: &LinkedHook| {
            before.mode == hook.mode && before.cond == hook.cond && before.action == hook.action
        };
        match seen.get(&key) {
            Some(before) if is_same(before, hook) => out.push(twice(event, before, hook)),
            Some(_) => {}
            None => {
                seen.insert(key, hook);
            }
        }
    }
}

/// If every match decides and the strictest verdict wins, a hook never decides if a stricter one matches whenever
/// it does.
fn permissions(event: &LinkedEvent, compared: &mut usize, out: &mut Diagnostics) {
    let enforced = || {
        let hooks = event.hooks.iter().filter(|hook| hook.mode == Mode::Enforce);
        hooks.map(|hook| (hook, Verdict::from_kind(&hook.action.kind)))
    };
    let mut strict = Covers::default();
    enforced().filter(|(_, verdict)| verdict.restricts()).for_each(|(hook, _)| strict.add(hook));
    for (hook, verdict) in enforced() {
        let can_be_overruled = matches!(verdict, Verdict::Allow | Verdict::Ask);
        if can_be_overruled && hook.certain != Some(false) {
            let is_stricter = |other: &LinkedHook| Verdict::from_kind(&other.action.kind) > verdict;
            out.extend(overruled(event, &strict.find(hook, is_stricter, compared), hook));
        }
    }
}

fn hidden(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    let what = format!("is hidden at event `{}`: `{}` always decides first", event.name, before.label);
    report(Code::W0602, hook, &what, "never reached")
        .also(before.span, "ranks before it and always matches")
        .help("give the hidden hook a higher `priority`, or the other one a condition")
}

fn covered(event: &LinkedEvent, before: &[&LinkedHook], hook: &LinkedHook) -> Diagnostic {
    let first = one_of(before);
    let what = format!("is hidden at event `{}`: whenever it matches, {first} decides first", event.name);
    let new = report(Code::W0602, hook, &what, "never decides");
    let new = with_others(new, before, "ranks before it and");
    new.help("give the hidden hook a higher `priority`, or exclude its cases from the other one, with `not`")
}

fn overruled(event: &LinkedEvent, others: &[&LinkedHook], hook: &LinkedHook) -> Option<Diagnostic> {
    let first = others.first()?;
    let (verb, kind) = (&hook.action.kind, &first.action.kind);
    let labels = one_of(others);
    let what = format!("has no effect at event `{}`: whenever it matches, {labels} matches too", event.name);
    let new = with_others(report(Code::W0602, hook, &what, "never decides"), others, "stricter, and");
    let note =
        format!("the strictest verdict wins, whatever the order or the priority: `{kind}` before `{verb}`");
    let help = format!("exclude the cases of this hook from the condition of `{}`, with `not`", first.label);
    Some(new.note(note).help(help))
}

fn never_decides(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    let (first, event) = (&before.label, &event.name);
    let what = format!("has the same condition as `{first}`, which decides first at event `{event}`");
    report(Code::W0607, hook, &what, "never decides")
        .also(before.span, "the same condition")
        .help("remove one of them, or change its condition")
}

fn twice(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    let what = format!("repeats `{}` at event `{}`", before.label, event.name);
    report(Code::W0607, hook, &what, "the same condition and the same action")
        .also(before.span, "first here")
        .help("remove one of them; every matching hook is executed")
}

fn report(code: Code, hook: &LinkedHook, what: &str, label: &'static str) -> Diagnostic {
    Diagnostic::new(code, hook.span, format!("hook `{}` {what}", hook.label)).with_label(label)
}

/// The labels of hooks, joined with "or".
fn one_of(hooks: &[&LinkedHook]) -> String {
    let labels: Vec<String> = hooks.iter().map(|hook| format!("`{}`", hook.label)).collect();
    labels.join(" or ")
}

/// Adds the hooks that together match whenever the reported one does.
fn with_others(new: Diagnostic, others: &[&LinkedHook], how: &str) -> Diagnostic {
    let cases = if others.len() == 1 { "each" } else { "some" };
    let why = format!("{how} matches in {cases} of its cases");
    others.iter().fold(new, |new, other| new.also(other.span, why.as_str()))
}
