//! The top level of a hooks file.

use hookc_schema::decode::{YAML, short};
use hookc_schema::dialect::hooks::FILE;
use hookc_schema::tree::{Hook, Policy, Section};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Spanned};

use super::early::EarlyHooks;
use super::{history, hook, legacy};
use crate::expr::path::PathCache;
use crate::front::shape::no_hooks;

/// The schema version of this compiler, and its major part.
const VERSION: &str = "1.0.0";
const MAJOR: &str = "1";

/// Reads the root of a file. An empty file has no hooks.
pub(super) fn policy(root: &Value, mut early: EarlyHooks, source: SourceId, out: &mut Diagnostics) -> Policy {
    let mut policy = Policy::empty(source);
    policy.source.span = root.span;
    match &root.kind {
        Kind::Null => out.push(no_hooks(root.span, "a policy", "write `hooks:` and a list of hooks")),
        Kind::Map(members) => match legacy::graph(root) {
            Some(config) => graph(config, members, (&mut early, &mut policy), out),
            None => {
                sections(root, members, (&mut early, &mut policy), out);
                empty(root, members, &policy, out);
            }
        },
        Kind::Seq(items) => {
            let new = YAML.wrong(root, "a hooks file", "a mapping");
            let hooks = items.is_empty() || items.iter().any(|item| item.get("event").is_some());
            out.push(new.help(match hooks {
                true => "put `hooks:` before the list",
                false => "write a list under `hooks:`, each hook with an `event` and an `action`",
            }));
        }
        _ => {
            let new = YAML.wrong(root, "a hooks file", "a mapping");
            out.push(new.help("write `hooks:` and a list of hooks"));
        }
    }
    policy
}

/// Reads the keys of a file. Legacy lists come last: their hooks run after all others.
fn sections(
    root: &Value,
    members: &[Member],
    (early, policy): (&mut EarlyHooks, &mut Policy),
    out: &mut Diagnostics,
) {
    if let Some(patterns) = members.iter().find(|member| member.key.node == "patterns") {
        return out.push(classification(&patterns.key));
    }
    let Some(fields) = FILE.read(root, YAML, out) else { return };
    out.extend(legacy::described(&fields));
    for (key, member) in fields.sound().filter(|(key, _)| !key.legacy) {
        section(key.name, &member.value, (early, policy), out);
    }
    for (_, list) in fields.sound().filter(|(key, _)| key.becomes.is_some()) {
        out.push(legacy::list(&list.key));
        hooks(&list.value, Section::Builtin, (early, &mut policy.hooks), out);
    }
}

/// Reports a file without hooks and declarations, unless an error in it was reported.
fn empty(root: &Value, members: &[Member], policy: &Policy, out: &mut Diagnostics) {
    let says = !policy.hooks.is_empty()
        || !policy.facts.is_empty()
        || policy.declarations.sections().next().is_some();
    if says || out.errors() > 0 {
        return;
    }
    let list = members.iter().find(|member| matches!(member.key.node.as_str(), "hooks" | "builtin_hooks"));
    let span = list.map_or(short(root), |list| list.key.span);
    out.push(no_hooks(span, "a policy", "write a hook: `- {event: ..., action: ...}`"));
}

fn classification(key: &Spanned<String>) -> Diagnostic {
    let new = Diagnostic::new(Code::E0201, key.span, "a hooks file has no key `patterns`");
    let new = new.with_label("classifies errors").note("hookc ignores the rest of this file");
    new.help(
        "write a list of hooks under `hooks:`; conditions read the class of an error in \
              `classification`",
    )
}

/// Reads the hooks of a graph; its other keys are ignored.
fn graph(
    config: &Member,
    members: &[Member],
    (early, policy): (&mut EarlyHooks, &mut Policy),
    out: &mut Diagnostics,
) {
    let what = "a graph: hookc reads only the hooks under `config:`";
    let new = Diagnostic::new(Code::N0273, config.key.span, what).with_label("here");
    out.push(new.help("move them to `hooks:` in a separate file"));
    let list = config.value.get("hooks").map(|list| (&config.key, list));
    // Hooks in other positions are reported, not lost silently.
    let ours = members.iter().filter(|member| matches!(member.key.node.as_str(), "hooks" | "builtin_hooks"));
    for (key, value) in list.into_iter().chain(ours.map(|member| (&member.key, &member.value))) {
        let builtin = key.node == "builtin_hooks";
        let section = if builtin { Section::Builtin } else { Section::Hooks };
        let key = FILE.key(if builtin { "builtin_hooks" } else { "hooks" });
        if key.is_some_and(|key| key.takes(value, YAML, out)) {
            hooks(value, section, (early, &mut policy.hooks), out);
        }
    }
}

fn section(
    name: &str,
    value: &Value,
    (early, policy): (&mut EarlyHooks, &mut Policy),
    out: &mut Diagnostics,
) {
    let declared = || (value.kind != Kind::Null).then(|| value.clone());
    let declarations = &mut policy.declarations;
    match name {
        "schema_version" => policy.schema_version = version(value, out),
        "hooks" => hooks(value, Section::Hooks, (early, &mut policy.hooks), out),
        "builtin_hooks" => hooks(value, Section::Builtin, (early, &mut policy.hooks), out),
        "facts" => policy.facts = history::facts(value, out),
        "events" => declarations.events = declared(),
        "operators" => declarations.operators = declared(),
        "combinators" => declarations.combinators = declared(),
        "action_types" => declarations.action_types = declared(),
        "event_context_schema" => declarations.event_context_schema = declared(),
        "wrappers" => declarations.wrappers = declared(),
        "programs" => declarations.programs = declared(),
        "sets" => declarations.sets = declared(),
        "tools" => declarations.tools = declared(),
        "project" => declarations.project = declared(),
        _ => declarations.return_schema = declared(),
    }
}

fn hooks(
    value: &Value,
    section: Section,
    (early, to): (&mut EarlyHooks, &mut Vec<Hook>),
    out: &mut Diagnostics,
) {
    let Kind::Seq(items) = &value.kind else { return };
    if early.are(items) {
        return early.append_to(to, out);
    }
    let mut paths = PathCache::default();
    to.extend(items.iter().filter_map(|item| hook::hook(item, section, &mut paths, out)));
}

fn version(value: &Value, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let Some(text) = value.as_str() else {
        let new = YAML.wrong(value, "`schema_version`", "a version as a string");
        out.push(new.help(format!("write \"{VERSION}\" in quotes")));
        return None;
    };
    let new = |code, message: String| Diagnostic::new(code, value.span, message);
    let help = format!("write \"{VERSION}\"");
    if !semver(text) {
        let new = new(Code::E0204, format!("`schema_version` cannot be `{text}`"));
        out.push(new.with_label("not a version of three numbers").help(help));
        return None;
    }
    if text.split('.').next() != Some(MAJOR) {
        let new = new(Code::E0207, format!("unsupported schema version {text}"));
        out.push(new.with_label(format!("this compiler reads version {MAJOR}")).help(help));
        return None;
    }
    Some(Spanned::new(text.to_owned(), value.span))
}

/// Whether a text is a version of Semantic Versioning 2.0.0: `1.2.3`, with optional `-pre.release`
/// and `+build`.
fn semver(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let leading_zero =
        |part: &str| part.len() > 1 && part.starts_with('0') && part.bytes().all(|b| b.is_ascii_digit());
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre.is_none_or(|pre| pre.split('.').all(|part| word(part) && !leading_zero(part)))
        && build.is_none_or(|build| build.split('.').all(word))
}
