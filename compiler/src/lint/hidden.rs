//! Hooks against each other at one event type: hidden ones, repeated ones.

use foldhash::HashMap;
use hookc_schema::tree::{Layer, Mode};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::{SharedFacts, constant};
use crate::link::{LinkedEvent, LinkedHook};

/// Reports hooks that never decide, or that repeat another one.
pub(super) fn lint(event: &LinkedEvent, facts: &mut SharedFacts, out: &mut Diagnostics) {
    match event.strategy {
        Strategy::First => first(event, facts, out),
        Strategy::All => all(event, facts, out),
    }
}

/// If the first match decides, no later hook is reached after a hook that always matches, or after
/// one with the same condition.
fn first(event: &LinkedEvent, facts: &mut SharedFacts, out: &mut Diagnostics) {
    let mut cover: Option<&LinkedHook> = None;
    let mut seen: HashMap<u64, &LinkedHook> = HashMap::default();
    for hook in &event.hooks {
        if let Some(before) = cover {
            // A shipped hook is there to be overridden.
            if hook.layer != Layer::Builtin || before.layer == Layer::Builtin {
                out.push(hidden(event, before, hook));
            }
            continue;
        }
        let always = constant::value(&hook.cond, facts);
        if hook.mode == Mode::Enforce && always == Some(true) {
            cover = Some(hook);
        }
        if always.is_some() {
            continue;
        }
        let key = facts.prints.condition(&hook.cond);
        match seen.get(&key) {
            Some(before) if before.layer == hook.layer && before.cond == hook.cond => {
                out.push(never_decides(event, before, hook));
            }
            Some(_) => {}
            None if hook.mode == Mode::Enforce => {
                seen.insert(key, hook);
            }
            None => {}
        }
    }
}

/// If every match decides, two hooks with the same condition and action execute it twice.
fn all(event: &LinkedEvent, facts: &mut SharedFacts, out: &mut Diagnostics) {
    let mut seen: HashMap<u64, &LinkedHook> = HashMap::default();
    for hook in &event.hooks {
        let key = facts.prints.hook(&hook.cond, &hook.action);
        match seen.get(&key) {
            Some(before) if same(before, hook) => out.push(twice(event, before, hook)),
            Some(_) => {}
            None => {
                seen.insert(key, hook);
            }
        }
    }
}

fn same(a: &LinkedHook, b: &LinkedHook) -> bool {
    a.mode == b.mode && a.cond == b.cond && a.action == b.action
}

fn hidden(event: &LinkedEvent, before: &LinkedHook, hook: &LinkedHook) -> Diagnostic {
    let what = format!(
        "hook `{}` is hidden at event `{}`: `{}` always decides first",
        hook.label, event.name, before.label
    );
    Diagnostic::new(Code::W0602, hook.span, what)
        .with_label("never reached")
        .also(before.span, "ranks before it and always matches")
        .help("give the hidden hook a higher `priority`, or the other one a condition")
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
