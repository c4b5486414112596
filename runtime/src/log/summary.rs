//! A call of a tool in a few words: the programs that it starts and what it acts on.
//!
//! A summary has names of programs, subcommands, files, variables, hosts, packages and branches. It never has other
//! words of a command line, texts, contents, or the source of an unknown part: these may be secrets.

use std::borrow::Cow;

use hookc_schema::vocab;
use hookc_shell::effects::{self, Actions, Effect, Kind, Project, Scheme, Text, ToolRoles, Tools, gather};
use hookc_shell::programs;
use serde_json::Value;

use super::Redaction;
use crate::event::{Event, ToolInput};

/// Most characters of a summary.
const SUMMARY: usize = 80;
/// Most bytes of an input that is summarized.
const INPUT: usize = 1 << 16;
/// The length from which a name with letters and digits may be a token.
const TOKEN: usize = 20;
/// What replaces such a name.
const HIDDEN: &str = "[redacted]";
/// Instead of the name of a program without a row, which may be any text.
const UNKNOWN_PROGRAM: &str = "a program";

/// What a call of a tool does, without what `redaction` removes; `None` if the event is about no tool, or too large.
pub(super) fn summary(event: &Event, redaction: Option<&Redaction>) -> Option<String> {
    event.raw("tool_input").filter(|input| input.len() <= INPUT)?;
    match redaction.filter(|redaction| !redaction.is_empty()) {
        Some(redaction) => call(&redaction.apply(event.value().clone())),
        None => call(event.value()),
    }
}

fn call(event: &Value) -> Option<String> {
    let text = |name: &str| event.get(name).and_then(Value::as_str);
    let tool = text("tool_name")?;
    let shipped = [text("host_tool_name"), Some(tool)].into_iter().flatten();
    let tools = Tools { shipped: shipped.filter_map(roles).collect(), ..Tools::default() };
    let cwd = text("cwd");
    let asked = effects::Event {
        tool,
        host_tool: text("host_tool_name"),
        cwd,
        project: text("project_dir").map_or(Project::Absent, Project::At),
        tools: &tools,
        programs: Default::default(),
    };
    let mut actions = Actions::default();
    gather(&asked, &ToolInput(event.get("tool_input")?), &mut actions);
    let base = text("project_dir").or(cwd).unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for part in actions.effects().filter_map(|effect| part(&actions, &effect, base)) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    if actions.unknown().is_some() {
        parts.push("unknown".to_owned());
    }
    let whole = without_tokens(&parts.join(", "));
    (!whole.is_empty()).then(|| cut(&whole))
}

/// What is known of a tool.
fn roles(name: &str) -> Option<ToolRoles> {
    Some(ToolRoles { name: name.to_owned(), inputs: vocab::roles_of(name)? })
}

/// An effect in words: `git push`, `write src/a.rs`.
fn part(actions: &Actions, effect: &Effect<'_>, base: &str) -> Option<String> {
    match effect.kind {
        Kind::Run => {
            let command = effect.command.and_then(|number| actions.command(number))?;
            let name =
                command.name().filter(|name| programs::find(name).is_some()).unwrap_or(UNKNOWN_PROGRAM);
            Some(std::iter::once(name).chain(command.verb()).collect::<Vec<_>>().join(" "))
        }
        Kind::Use | Kind::List | Kind::Code => None,
        _ if effect.is_implied || matches!(effect.scheme, Scheme::Pipe | Scheme::Text) => None,
        kind => {
            let object = known(effect.object);
            let object = without_login(relative(&object, base));
            Some(format!("{} {}{object}", kind.as_str(), effect.scheme.prefix()))
        }
    }
}

/// A text in which `?` is each unknown part.
fn known(text: Text<'_>) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for gap in text.holes {
        let (from, to) = (usize::try_from(gap.from).ok(), usize::try_from(gap.to).ok());
        let (from, to) = (from.unwrap_or(at), to.unwrap_or(at));
        out += text.text.get(at..from).unwrap_or_default();
        out.push('?');
        at = to;
    }
    out + text.text.get(at..).unwrap_or_default()
}

/// A path from the project on.
fn relative<'p>(path: &'p str, base: &str) -> &'p str {
    let below = path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    below.filter(|rest| !rest.is_empty() && !base.is_empty()).unwrap_or(path)
}

/// An address without user, password and query.
fn without_login(object: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = object.split_once("://") else { return object.into() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    format!("{scheme}://{rest}").into()
}

/// A text whose long names with letters and digits are hidden.
fn without_tokens(text: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '=');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_name(c) != is_name(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let mixed = run.chars().any(char::is_alphabetic) && run.chars().any(|c| c.is_ascii_digit());
        out += if run.len() >= TOKEN && mixed { HIDDEN } else { run };
        rest = after;
    }
    out
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SUMMARY) {
        None => text.to_owned(),
        Some(_) => text.chars().take(SUMMARY - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of_line(line: &str) -> String {
        let event = json!({"tool_name": "Bash", "cwd": "/p", "tool_input": {"command": line}});
        call(&event).unwrap_or_default()
    }

    #[test]
    fn a_summary_names_what_a_call_acts_on() {
        for (line, expected) in [
            ("git push origin main", "git push, push origin:main"),
            ("cat .env | base64", "cat, read .env, base64"),
            ("rm -rf src /etc/x", "rm, delete src, delete /etc/x"),
            ("./deploy s3cr3t", "a program"),
            ("echo '", "unknown"),
        ] {
            assert_eq!(of_line(line), expected, "{line}");
        }
        let read = json!({"tool_name": "Read", "tool_input": {"file_path": "/p/a"}, "project_dir": "/p"});
        assert_eq!(call(&read).as_deref(), Some("read a"));
        assert_eq!(call(&json!({"prompt": "x"})), None);
        assert_eq!(of_line("cat some/file; "), "cat, read some/file");
        let many: String = (0..50).map(|n| format!("cat file{n}; ")).collect();
        assert_eq!(of_line(&many).chars().count(), SUMMARY);
    }

    /// Nothing of a line that may be a secret is in its summary.
    #[test]
    fn a_summary_has_no_secrets() {
        for line in [
            "curl -H 'Authorization: Bearer s3cr3t' https://x.org/?key=s3cr3t",
            "TOKEN=s3cr3t mysql -ps3cr3t -u root",
            "echo s3cr3t > out; printf s3cr3t | docker login --password-stdin x",
            "git push https://me:s3cr3t@x.org/r main",
            "pip install git+https://s3cr3t@x.org/r",
            "cat $(echo s3cr3t | tr a b)",
            "sh -c 'echo s3cr3t'",
            "aws configure set aws_secret_access_key s3cr3t",
            "make TOKEN=s3cr3t deploy",
            "unknown-program s3cr3t --flag=s3cr3t",
            "curl -d s3cr3t https://x.org; nc x 1 <<< s3cr3t",
        ] {
            assert!(!of_line(line).contains("s3cr3t"), "{line}: {}", of_line(line));
        }
        assert_eq!(of_line("cat ghp_0123456789abcdefghij"), "cat, read [redacted]");
        let write = json!({"tool_name": "Write", "tool_input": {"file_path": "/a", "content": "s3cr3t"}});
        assert_eq!(call(&write).as_deref(), Some("write /a"));
    }

    #[test]
    fn what_is_redacted_is_not_in_it() {
        let event = |text: &str| Event::new(text.as_bytes());
        let text = r#"{"tool_name":"Read","tool_input":{"file_path":"/own/name"}}"#;
        assert_eq!(summary(&event(text), None).as_deref(), Some("read /own/name"));
        let redaction = Redaction::new(["tool_input.file_path"]);
        assert_eq!(summary(&event(text), Some(&redaction)).as_deref(), Some("read [redacted]"));
    }
}
