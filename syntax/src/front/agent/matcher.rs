//! Lowers the agent's event and the matcher of a handler to a condition.

use hookc_schema::agents::{Agent, Event, Fault, Id, Matching};
use hookc_schema::tree::{Cond, CondKind, Op};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::vocab::{Matcher, Names};
use hookc_schema::{Code, Diagnostic, HookEffect, Span};
use hookc_vm::text::ecma;

use super::Cx;
use super::file::At;
use crate::front::settings::known_tools;
use crate::front::settings::matcher::{self, LoweredMatcher, OtherTests, leaf};
use crate::front::settings::words;

/// The condition that distinguishes the agent's event from others of the same type:
/// `beforeShellExecution` is a special case of `preToolUse`, and both become `PreToolUse`.
pub(super) fn of_event(at: &At<'_>, agent: &Agent) -> Option<Cond> {
    let (known, span) = (at.known, at.key.span);
    let text = |text: &str| Value::string(text, span);
    match (known.part, agent.answered, &known.tool) {
        (false, _, _) => None,
        (true, true, _) => leaf("host_event_name", Op::Eq, text(&known.name), span),
        (true, false, Some(tool)) if tool == "Edit" => {
            let both = Value::new(Kind::Seq(vec![text("Edit"), text("Write")]), span);
            leaf("tool_name", Op::In, both, span)
        }
        (true, false, Some(tool)) => leaf("tool_name", Op::Eq, text(tool), span),
        (true, false, None) => leaf("tool_name", Op::StartsWith, text("mcp__"), span),
    }
}

/// Lowers a matcher; `None` if it matches everything, or after an error was reported.
pub(super) fn lower(at: &At<'_>, value: &Value, cx: &mut Cx<'_>) -> Option<Cond> {
    let Kind::Str(text) = &value.kind else {
        let fault = if value.kind == Kind::Null { Fault::Null } else { Fault::Entry };
        let (label, effect) = match cx.agent.invalid.contains_key(&fault) {
            true => ("the agent does not read an entry with it", HookEffect::Dead),
            false => ("ignored: every event matches", HookEffect::Doubtful),
        };
        let message = format!("a matcher of {} is a string, not {}", cx.agent.label, value.noun());
        let new =
            Diagnostic::new(Code::W0236, value.span, message).with_label(label).with_hook_effect(effect);
        cx.ignored = Some(new.help("write the name of a tool, or a pattern, in double quotes"));
        return None;
    };
    let is_any = match (text.value.as_str(), cx.form.matching) {
        ("*", matching) => !matches!(matching, Matching::Linear | Matching::Anchored),
        ("", matching) => matching != Matching::Anchored,
        (text, _) => text == ".*",
    };
    if is_any {
        return None;
    }
    let Some(path) = &at.known.matcher else {
        if at.known.tool.is_none() {
            let message = format!("events of type `{}` have no field for a matcher", at.key.node);
            let new = Diagnostic::new(Code::W0236, value.span, message);
            cx.ignored = Some(new.with_label("ignored: every event matches").help("remove the matcher"));
        }
        return None;
    };
    if let Some(always) = &at.known.matches {
        return constant(at, always, text, value.span, cx);
    }
    let subject = Matcher { path: path.clone(), names: Names::Plain };
    let lowered = match path.as_str() {
        "tool_name" => return tools(at.known, text, value.span, cx),
        "tool_input.command" => {
            if let Some(new) = no_command(at, text, value.span, cx.agent) {
                cx.emit(new);
            }
            matcher::search(text, value.span, (&subject, OtherTests::None), cx.out)
        }
        _ => matcher::lower(text, value.span, (&subject, OtherTests::None), cx.out),
    };
    match lowered? {
        LoweredMatcher::All => None,
        LoweredMatcher::Cond(cond) => Some(cond),
    }
}

/// Reports names of tools where the matcher is a pattern for the command line.
fn no_command(at: &At<'_>, text: &Text, span: Span, agent: &Agent) -> Option<Diagnostic> {
    let names = names(&text.value);
    let is_tool = |name: &String| agent.has_tool(name) || Id::Claude.agent().has_tool(name);
    if names.is_empty() || !names.iter().all(is_tool) {
        return None;
    }
    let what = format!("`{}` is compared with the command line, not with the name of a tool", text.value);
    let new = Diagnostic::new(Code::W0638, span, what).with_label("a pattern for the command line");
    Some(new.help(format!("remove the matcher: each `{}` event is about a command", at.key.node)))
}

/// The names in a matcher that lists some.
fn names(text: &str) -> Vec<String> {
    text.split(['|', ',']).map(without_anchors).filter(|name| !name.is_empty()).collect()
}

fn without_anchors(name: &str) -> String {
    name.trim().trim_start_matches('^').trim_end_matches('$').to_owned()
}

/// A matcher that is compared with a constant: it always matches, or never.
fn constant(at: &At<'_>, always: &str, text: &Text, span: Span, cx: &mut Cx<'_>) -> Option<Cond> {
    let subject = Matcher { path: "hook_event_name".to_owned(), names: Names::Plain };
    // Reports an invalid pattern.
    matcher::search(text, span, (&subject, OtherTests::None), cx.out)?;
    let pattern = ecma::translate(&text.value).ok()?;
    let sound = crate::pattern::is_sound(&pattern).then(|| regex::Regex::new(&pattern).ok()).flatten();
    if sound.is_none_or(|pattern| pattern.is_match(always)) {
        return None;
    }
    let message = format!("`{}` never matches: {} compares it with `{always}`", text.value, cx.agent.label);
    let new = Diagnostic::new(Code::W0237, span, message).with_label("the handler never runs");
    let new = new.note(format!("a matcher of `{}` is compared with nothing else", at.key.node));
    cx.emit(new.help(format!("write `{always}`, or remove the matcher")));
    cx.never = Some(span);
    None
}

/// A matcher of the agent's names of tools. Events have the vocabulary's names, so names that differ
/// are translated; a matcher that may be a pattern is compared with both names.
fn tools(event: &Event, text: &Text, span: Span, cx: &mut Cx<'_>) -> Option<Cond> {
    let matching = cx.form.matching;
    let agent = cx.agent;
    let is_own_only = cx.form.own_names_at.contains(&event.name);
    let has_tool = |name: &str| match is_own_only {
        true => agent.all_tools().any(|(listed, _)| listed == name),
        false => agent.has_tool(name),
    };
    let whole = Whole::new(&text.value);
    let list = (matching == Matching::Listed).then(|| entries(&text.value)).flatten();
    if let Some(list) = &list {
        if list.iter().any(|entry| matches!(*entry, "*" | ".*")) {
            return None;
        }
        if list.is_empty() {
            return nothing(text, span, cx);
        }
    }
    let joined = list.as_ref().map(|list| list.join("|"));
    let text = match (matching, &whole) {
        (Matching::Whole, Some(Whole::Slashes(inner))) => &Text::plain(*inner),
        // The text has no other positions if nothing was removed.
        (Matching::Listed, _) => match joined.as_deref().unwrap_or(text.value.trim()) {
            read if read == text.value => text,
            read => &Text::plain(read.to_owned()),
        },
        _ => text,
    };
    let names = named(matching, list, text, cx.agent);
    if !names.is_empty() && names.iter().all(|name| has_tool(name)) {
        return translated(&names, span, cx.agent);
    }
    let written = text.value.as_str();
    if matching == Matching::Anchored && written.is_empty() {
        return nothing(text, span, cx);
    }
    let new = spaced(matching, written, span)
        .or_else(|| foreign(&names, span, cx.agent, &has_tool))
        .or_else(|| foreign_mcp(written, span, cx.agent))
        .or_else(|| matcher::no_tool(written, span).filter(|_| !written.contains(':')))
        .or_else(|| known_tools::mistaken(cx.agent, written, span));
    if let Some(new) = new {
        cx.emit(new);
    }
    let mut either = Vec::new();
    let paths = match is_own_only && matches_vocabulary(written) {
        true => &["host_tool_name"][..],
        false => &["host_tool_name", "tool_name"],
    };
    let patches = agent.protocol.patch.as_ref().map_or(&[] as &[String], |patch| patch.tools.as_slice());
    for path in paths.iter().copied() {
        let subject = Matcher { path: path.to_owned(), names: Names::Plain };
        let search = |text: &Text, out| matcher::search(text, span, (&subject, OtherTests::None), out);
        let lowered = match (matching, &whole) {
            (Matching::Search | Matching::Listed, _) => search(text, cx.out),
            (Matching::Whole, Some(_)) | (Matching::Anchored, _) => {
                // The position of an error is one of the text as written.
                match ecma::translate(&text.value) {
                    Ok(_) => search(&Text::plain(format!("^(?:{})$", text.value)), cx.out),
                    Err(_) => search(text, cx.out),
                }
            }
            (Matching::Whole, None) => {
                leaf(path, Op::Eq, Value::string(&*text.value, span), span).map(LoweredMatcher::Cond)
            }
            (Matching::Exact, _) if is_plain_list(&text.value) => {
                // A patch is an `Edit` or a `Write`: only the agent calls it by the name of its tool.
                let is_compared = |name: &&String| path == "host_tool_name" || !patches.contains(*name);
                let listed: Vec<&str> = names.iter().filter(is_compared).map(String::as_str).collect();
                if listed.is_empty() {
                    continue;
                }
                let whole = Text::plain(format!("^(?:{})$", listed.join("|")));
                matcher::linear(&whole, span, &subject, cx.out)
            }
            (Matching::Linear | Matching::Exact, _) => matcher::linear(text, span, &subject, cx.out),
        };
        match lowered? {
            LoweredMatcher::All => return None,
            LoweredMatcher::Cond(cond) => either.push(cond),
        }
    }
    // Other names of a list are compared, whatever the pattern matches.
    let listed = names.iter().filter(|name| cx.agent.alias(name) != name.as_str());
    either.extend(listed.filter_map(|name| {
        let tool = cx.agent.tool(cx.agent.alias(name));
        leaf("tool_name", Op::Eq, Value::string(tool, span), span)
    }));
    Some(Cond { span, kind: CondKind::Any(either.into()) })
}

/// The names of tools in a matcher.
fn named(matching: Matching, list: Option<Vec<&str>>, text: &Text, agent: &Agent) -> Vec<String> {
    match (matching, list) {
        (Matching::Search, _) => names(&text.value),
        (_, Some(list)) => list.into_iter().map(str::to_owned).collect(),
        // Other names of a tool are compared with a whole matcher, and no pattern matches them.
        (Matching::Listed, None) => {
            let name = without_anchors(&text.value);
            let is_other = agent.alias(&name) != name.as_str();
            vec![if is_other { text.value.trim().to_owned() } else { name }]
        }
        (Matching::Whole, None) => text.value.split('|').map(without_anchors).collect(),
        // A space is a part of the pattern.
        (Matching::Anchored | Matching::Linear | Matching::Exact, None) => {
            let name = |part: &str| part.trim_start_matches('^').trim_end_matches('$').to_owned();
            text.value.split('|').map(name).collect()
        }
    }
}

/// A test of the names that the vocabulary has for known tools.
fn translated(names: &[String], span: Span, agent: &Agent) -> Option<Cond> {
    let mut tools: Vec<&str> = Vec::new();
    for name in names.iter().map(|name| agent.tool(agent.alias(name))) {
        if !tools.contains(&name) {
            tools.push(name);
        }
    }
    match tools.as_slice() {
        [one] => leaf("tool_name", Op::Eq, Value::string(*one, span), span),
        several => {
            let values = several.iter().map(|name| Value::string(*name, span)).collect();
            leaf("tool_name", Op::In, Value::new(Kind::Seq(values), span), span)
        }
    }
}

/// Whether a pattern for whole names matches a name of the vocabulary.
fn matches_vocabulary(pattern: &str) -> bool {
    let pattern = ecma::translate(&format!("^(?:{pattern})$")).ok();
    let pattern = pattern.filter(|pattern| crate::pattern::is_sound(pattern));
    let pattern = pattern.and_then(|pattern| regex::Regex::new(&pattern).ok());
    pattern.is_some_and(|pattern| Id::Claude.agent().own_tools.iter().any(|tool| pattern.is_match(tool)))
}

/// Reports a matcher with spaces, where the agent compares them too.
fn spaced(matching: Matching, written: &str, span: Span) -> Option<Diagnostic> {
    let is_read = matches!(matching, Matching::Exact | Matching::Anchored | Matching::Linear);
    let is_plain = |part: &str| part.contains(' ') && !part.contains(['[', '\\', '(', '?', '*', '{']);
    if !is_read || !written.split('|').any(is_plain) {
        return None;
    }
    let new = Diagnostic::new(Code::W0237, span, "a tool with a space in its name does not exist".to_owned());
    let new = with_effect_of_names(new, effect(written.split('|').all(is_plain)));
    Some(new.help("write names with `|` between them, and no spaces"))
}

/// A diagnostic of a name that no tool has: the matcher never matches if no other name is right.
fn with_effect_of_names(new: Diagnostic, effect: HookEffect) -> Diagnostic {
    let label = if effect == HookEffect::Dead { "never matches" } else { "one of the names" };
    new.with_label(label).with_hook_effect(effect)
}

/// What a wrong name does to a hook.
const fn effect(is_only_name: bool) -> HookEffect {
    if is_only_name { HookEffect::Dead } else { HookEffect::Doubtful }
}

/// Whether a matcher of [`Matching::Exact`] is a list of names.
fn is_plain_list(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|'))
}

/// The entries of a matcher of [`Matching::Listed`]; none if it is one pattern. A `|` after a backslash is a part of an
/// entry.
fn entries(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    if text.starts_with(['^', '(']) || !text.contains('|') {
        return None;
    }
    let mut entries = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('|') {
        let before = text.get(start..at).unwrap_or_default();
        if !text.get(..at).is_some_and(|all| all.ends_with('\\')) {
            entries.push(before);
            start = at + 1;
        }
    }
    entries.push(text.get(start..).unwrap_or_default());
    Some(entries.into_iter().map(str::trim).filter(|entry| !entry.is_empty()).collect())
}

/// A matcher without a name, which matches no tool.
fn nothing(text: &Text, span: Span, cx: &mut Cx<'_>) -> Option<Cond> {
    let new = Diagnostic::new(Code::W0237, span, format!("`{}` is a matcher without a name", text.value));
    cx.emit(new.with_label("the handler never runs").help("write the name of a tool, or remove the matcher"));
    cx.never = Some(span);
    None
}

/// A matcher of [`Matching::Whole`] that is a pattern.
enum Whole<'t> {
    /// It is between slashes.
    Slashes(&'t str),
    /// It has a character that no name has.
    Bare,
}

impl<'t> Whole<'t> {
    /// `None` if the text is a name.
    fn new(text: &'t str) -> Option<Self> {
        let inner = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match inner.filter(|inner| !inner.is_empty()) {
            Some(inner) => Some(Self::Slashes(inner)),
            None => text.contains(|c| "|.*+?[]()^$\\".contains(c)).then_some(Self::Bare),
        }
    }
}

/// Reports a name of the vocabulary for a tool that this agent names differently, or a name in other case, if none of
/// the agent's tools has a name with this text.
fn foreign(
    names: &[String],
    span: Span,
    agent: &Agent,
    has_tool: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let meant = |name: &String| {
        let claude =
            agent.has_claude_tools().then(|| Id::Claude.agent().own_tools.iter()).into_iter().flatten();
        let cased = claude.map(String::as_str).find(|tool| tool.eq_ignore_ascii_case(name));
        let called =
            agent.tools.iter().find(|(_, tool)| tool == name).map(|(listed, _)| listed.as_str()).or(cased)?;
        let contained = agent.tools.iter().any(|(listed, _)| listed.contains(name.as_str()))
            || agent.own_tools.iter().any(|listed| listed.contains(name.as_str()));
        (!contained && !has_tool(name)).then_some(called)
    };
    let (name, called) = names.iter().find_map(|name| Some((name, meant(name)?)))?;
    let what = format!("no tool of {} has the name `{name}`", agent.label);
    let effect = effect(!names.iter().any(|name| has_tool(name)));
    let new = with_effect_of_names(Diagnostic::new(Code::W0237, span, what), effect);
    Some(new.help(format!("write `{called}`, the agent's own name")))
}

/// Reports a matcher for tools of MCP servers under the names that Claude Code has for them, which this agent does
/// not have.
fn foreign_mcp(written: &str, span: Span, agent: &Agent) -> Option<Diagnostic> {
    let prefix = agent.form.as_ref().and_then(|form| form.mcp.as_deref())?;
    written.trim_start_matches(['^', '(']).strip_prefix("mcp__")?;
    let what = format!("no tool of {} has a name that starts with `mcp__`", agent.label);
    let new = Diagnostic::new(Code::W0237, span, what).with_label("never matches");
    Some(new.help(format!("its tools of MCP servers have names that start with `{prefix}`")))
}

/// Whether a key is a note for people, which agents ignore.
pub(super) fn is_note(key: &str) -> bool {
    words::is_comment(key)
}
