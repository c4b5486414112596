//! Reads the scripts at an event of a skill: one file, several, or files with a priority and a
//! timeout.

use hookc_schema::decode::YAML;
use hookc_schema::dialect::skill::SCRIPT;
use hookc_schema::tree::{Action, Family, Hook, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use crate::files;

const HELP: &str = "write the path of a Python file, relative to the directory of the skill";

/// Reads the scripts of an event.
pub(super) fn scripts(
    member: &Member,
    name: &Spanned<String>,
    path: &str,
    hooks: &mut Vec<Hook>,
    out: &mut Diagnostics,
) {
    let items = match &member.value.kind {
        Kind::Seq(items) => items.as_slice(),
        _ => std::slice::from_ref(&member.value),
    };
    if items.is_empty() {
        let what = format!("`{}` is an empty list", member.key.node);
        out.push(
            Diagnostic::new(Code::E0203, member.value.span, what).with_label("an empty list").help(HELP),
        );
    }
    for item in items {
        if let Some(script) = script(item, &member.key.node, out) {
            hooks.push(script.hook(&member.key, name, path));
        }
    }
}

struct Script {
    span: Span,
    file: Spanned<String>,
    priority: Option<Spanned<Number>>,
    timeout: Option<(Spanned<String>, Value)>,
}

fn script(value: &Value, event: &str, out: &mut Diagnostics) -> Option<Script> {
    let start = out.errors();
    let script = if let Kind::Map(_) = value.kind {
        let fields = SCRIPT.read(value, YAML, out)?;
        let timeout = fields.member("timeout").map(|member| (member.key.clone(), member.value.clone()));
        let file = file(fields.value("script")?, SCRIPT.what, out)?;
        Script { span: value.span, file, priority: fields.number("priority"), timeout }
    } else {
        let file = file(value, &format!("a script of `{event}`"), out)?;
        Script { span: value.span, file, priority: None, timeout: None }
    };
    let sound = out.errors() == start;
    sound.then_some(script)
}

impl Script {
    fn hook(self, event: &Spanned<String>, skill: &Spanned<String>, path: &str) -> Hook {
        let file = files::join(files::directory(path), &self.file.node);
        let param = |name: &str, value: Value| (Spanned::new(name.to_owned(), value.span), value);
        let mut params = vec![
            param("file", Value::string(file, self.file.span)),
            param("namespace", Value::string(&skill.node, skill.span)),
        ];
        params.extend(self.timeout);
        let action = Action {
            span: UncomparedSpan(self.span),
            kind: Spanned::new("script".to_owned(), self.file.span),
            params,
            templates: false,
        };
        Hook { priority: self.priority, ..Hook::new(self.span, vec![event.clone()], Family::Skill, action) }
    }
}

/// Reads the path of a script, relative to the directory of the skill and inside it.
fn file(value: &Value, what: &str, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let Some(path) = value.as_str() else {
        out.push(YAML.wrong(value, what, "a path as a string").help(HELP));
        return None;
    };
    if path.trim().is_empty() {
        out.push(
            Diagnostic::new(Code::E0203, value.span, format!("{what} is empty"))
                .with_label("empty")
                .help(HELP),
        );
        return None;
    }
    if leaves(path) {
        out.push(outside(path, value.span));
        return None;
    }
    if let Some((program, script)) = path.split_once(' ').filter(|(program, _)| is_interpreter(program)) {
        let new = Diagnostic::new(Code::W0265, value.span, format!("`{path}` is a command line"));
        out.push(new.with_label("not the name of a file").help(format!(
            "remove `{program}`: `{}` names the file, which is called as a module",
            script.trim()
        )));
    } else if !path.to_ascii_lowercase().ends_with(".py") {
        let new = Diagnostic::new(Code::W0265, value.span, format!("`{path}` is not a Python file name"));
        out.push(
            new.with_label("does not end in `.py`")
                .help("hooks of skills are Python files with a function `execute(context)`"),
        );
    }
    Some(Spanned::new(path.to_owned(), value.span))
}

/// Whether a word is the name of Python.
fn is_interpreter(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(bare, "python" | "uv" | "env")
}

/// Whether the text of a path leads out of its starting directory.
pub(crate) fn leaves(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with(['/', '\\', '~']) || drive {
        return true;
    }
    let mut depth = 0_usize;
    path.split(['/', '\\']).any(|part| {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
        false
    })
}

/// The diagnostic for a script outside its skill.
pub(super) fn outside(path: &str, span: Span) -> Diagnostic {
    let what = format!("the script `{path}` is outside the directory of its skill");
    Diagnostic::new(Code::E0264, span, what)
        .with_label("outside")
        .help("a skill runs only its own files: put the script into its directory")
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn paths_that_leave() {
        for path in ["/x.py", "../x.py", "a/../../x.py", "~/x.py", "C:\\x.py", "..\\x.py", ".."] {
            assert!(leaves(path), "{path}");
        }
        for path in ["x.py", "./x.py", "a/../x.py", "a/./b.py", "..x.py", "a..b/c.py"] {
            assert!(!leaves(path), "{path}");
        }
    }
}
