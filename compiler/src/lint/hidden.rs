//! Hooks against each other at one event type: hidden ones, repeated ones.

use foldhash::HashMap;
use hookc_schema::tree::{Family, Layer, Mode};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::covered::{Covers, Strictness};
use super::fingerprint;
use crate::link::{LinkedEvent, LinkedHook};

/// Reports hooks that never decide, or that repeat another one.
pub(super) fn lint(event: &LinkedEvent, compared: &mut usize, out: &mut Diagnostics) {
    match event.strategy {
        Strategy::First => first(event, compared, out),
        Strategy::All => {
            all(event, out);
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
fn all(event: &LinkedEvent, out: &mut Diagnostics) {
    let mut seen: HashMap<u64, &LinkedHook> = HashMap::default();
    for hook in &event.hooks {
        let key = fingerprint::hook(hook.print, &hook.action);
        match seen.get(&key) {
            Some(before) if same(before, hook) => out.push(twice(event, before, hook)),
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
    let enforced = || event.hooks.iter().filter(|hook| hook.mode == Mode::Enforce);
    let mut strict = Covers::default();
    enforced().filter(|hook| Strictness::of(hook) > Strictness::Allow).for_each(|hook| strict.add(hook));
    for hook in enforced().filter(|hook| Strictness::of(hook) < Strictness::Deny) {
        let own = Strictness::of(hook);
        if own == Strictness::None || hook.certain == Some(false) {
            continue;
        }
        let found = strict.find(hook, |other| Strictness::of(other) > own, compared);
        out.extend(overruled(event, &found, hook));
    }
}

fn same(a: &LinkedHook, b: &LinkedHook) -> bool {
    a.mode == b.mode && a.cond == b.cond && a.action == b.action
}

fn hidden(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    preceded(event, hook, &format!("`{}` always decides first", before.label))
        .with_label("never reached")
        .also(before.span, "ranks before it and always matches")
        .help("give the hidden hook a higher `priority`, or the other one a condition")
}

fn covered(event: &LinkedEvent, before: &[&LinkedHook], hook: &LinkedHook) -> Diagnostic {
    let new = preceded(event, hook, &format!("whenever it matches, {} decides first", one_of(before)));
    let new = new.with_label("never decides");
    let why = match before.len() {
        1 => "ranks before it and matches in each of its cases",
        _ => "ranks before it and matches in some of its cases",
    };
    let new = before.iter().fold(new, |new, before| new.also(before.span, why));
    new.help("give the hidden hook a higher `priority`, or exclude its cases from the other one, with `not`")
}

/// The labels of hooks, joined with "or".
fn one_of(hooks: &[&LinkedHook]) -> String {
    let labels: Vec<String> = hooks.iter().map(|hook| format!("`{}`", hook.label)).collect();
    labels.join(" or ")
}

fn preceded(event: &LinkedEvent, hook: &LinkedHook, why: &str) -> Diagnostic {
    let what = format!("hook `{}` is hidden at event `{}`: {why}", hook.label, event.name);
    Diagnostic::new(Code::W0602, hook.span, what)
}

fn overruled(event: &LinkedEvent, others: &[&LinkedHook], hook: &LinkedHook) -> Option<Diagnostic> {
    let first = others.first()?;
    let (verb, kind) = (&hook.action.kind, &first.action.kind);
    let what = format!(
        "hook `{}` has no effect at event `{}`: whenever it matches, {} matches too",
        hook.label,
        event.name,
        one_of(others)
    );
    let new = Diagnostic::new(Code::W0602, hook.span, what).with_label("never decides");
    let why = match others.len() {
        1 => "stricter, and matches in each of its cases",
        _ => "stricter, and matches in some of its cases",
    };
    let new = others.iter().fold(new, |new, other| new.also(other.span, why));
    let new = new.note(format!(
        "the strictest verdict wins, whatever the order or the priority: `{kind}` before `{verb}`"
    ));
    Some(
        new.help(format!(
            "exclude the cases of this hook from the condition of `{}`, with `not`",
            first.label
        )),
    )
}

fn never_decides(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    let what = format!(
        "hook `{}` has the same condition as `{}`, which decides first at event `{}`",
        hook.label, before.label, event.name
    );
    Diagnostic::new(Code::W0607, hook.span, what)
        .with_label("never decides")
        .also(before.span, "the same condition")
        .help("remove one of them, or change its condition")
}

fn twice(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    let what = format!("hook `{}` repeats `{}` at event `{}`", hook.label, before.label, event.name);
    Diagnostic::new(Code::W0607, hook.span, what)
        .with_label("the same condition and the same action")
        .also(before.span, "first here")
        .help("remove one of them; every matching hook is executed")
}
