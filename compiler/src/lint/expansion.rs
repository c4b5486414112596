//! Text that only a shell expands where no shell reads it (W0620): `argv: [~/check.sh]`,
//! `cwd: $HOME/project`. The program gets the text as it is.

use std::ops::Range;

use hookc_base::action::DIRECTORIES;
use hookc_base::action::Kind;
use hookc_base::quoting::variable_at;
use hookc_schema::tree::{Family, Hook};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::foreign_template::is_code;

/// Variables with a directory or a name, which people use in paths.
const VARIABLES: [&str; 10] =
    ["HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "HOSTNAME", "PATH", "TMPDIR", "USERPROFILE", "APPDATA"];

/// Variables with the directory of the project.
const DIRECTORY: [&str; 5] = ["$PWD", "${PWD}", "$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}", "%CD%"];

/// The parameters of an action that reach the system without a shell.
const PARAMETERS: [&str; 5] = ["argv", "args", "cwd", "env", "file"];

/// Reports the first such text of each parameter.
pub(super) fn check(hook: &Hook, out: &mut Diagnostics) {
    let action = &hook.action;
    // The handler of a repository is a path (W0292), and a skill's script is in its directory (E0264).
    if !matches!(action.known(), Some(Kind::Run | Kind::Script))
        || matches!(hook.family, Family::Repository | Family::Skill | Family::Workflow)
    {
        return;
    }
    for (name, value) in action.params.iter().filter(|(name, _)| PARAMETERS.contains(&name.node.as_str())) {
        // Agents may expand the variables of their own settings.
        if name.node == "env" && !action.templates {
            continue;
        }
        texts(&name.node, value, action.templates, out);
    }
    // No shell reads the program of a `command` with `args`.
    if let Some(value) = action.param("command").filter(|_| action.param("args").is_some()) {
        texts("command", value, action.templates, out);
    }
}

/// Reports the first such text of each value in a parameter. In a list with code, only the program is not code.
fn texts(name: &str, value: &Value, templates: bool, out: &mut Diagnostics) {
    let program = value.items().first().filter(|_| is_code(value.items()));
    for value in program.into_iter().chain(value.walk(|value| !is_code(value.items()))) {
        let found = value.as_str().and_then(|text| find(text, templates));
        out.extend(found.map(|range| report(name, templates, value, range)));
    }
}

fn report(name: &str, templates: bool, value: &Value, range: Range<usize>) -> Diagnostic {
    let written = value.as_str().and_then(|text| text.get(range.clone())).unwrap_or_default();
    let what = format!("`{written}` stays as it is: no shell expands it");
    let new = Diagnostic::new(Code::W0620, value.span_within(range), what).with_label("not expanded");
    let variable = written.trim_start_matches('$');
    match name {
        _ if variable.starts_with("CLAUDE_") => {
            // In a text with templates, `$${` is a plain `${`.
            let escape = if templates { "$" } else { "" };
            new.help(format!("write `{escape}${{{variable}}}`, which hookc fills in"))
        }
        "argv" | "args" | "command" => new
            .note("`argv` starts a program without a shell")
            .help("write the absolute path, or the line as `command`, which a shell reads"),
        "cwd" | "file" => new.help("write the absolute path"),
        _ => new.help("write the value itself, or set the variable in `command`, which a shell reads"),
    }
}

/// The first text that a shell would expand.
fn find(text: &str, templates: bool) -> Option<Range<usize>> {
    if let Some(written) = at_start(text, !templates).filter(|written| !is_filled(written)) {
        return Some(0..written.len());
    }
    text.match_indices(['$', '%', ':', '=']).find_map(|(at, sign)| {
        let rest = text.get(at..)?;
        if matches!(sign, ":" | "=") {
            // `PATH: ~/bin:~/x`, `--config=~/x`
            let tilde = rest.get(1..)?.starts_with("~/");
            return tilde.then(|| at + 1..at + 2);
        }
        // `$${HOME}` is the text `${HOME}`; `${HOME}` is a template, and reported as one.
        let escaped = templates && text.get(..at)?.ends_with('$');
        let written = variable(rest, !templates || escaped)?;
        (!is_filled(written)).then(|| at..at + written.len())
    })
}

/// Variables that hookc and the agents fill in themselves.
fn is_filled(written: &str) -> bool {
    written.starts_with("${CLAUDE_")
}

/// `~`, `$HOME`, `%USERPROFILE%` before the rest of a path.
pub(crate) fn at_start(text: &str, braces: bool) -> Option<&str> {
    match text.strip_prefix('~') {
        Some(rest) => (rest.starts_with(['/', '\\']) && rest.len() > 1).then_some("~"),
        None => variable(text, braces),
    }
}

/// Whether a variable has the directory of the project.
pub(crate) fn is_directory(written: &str) -> bool {
    DIRECTORY.contains(&written)
}

/// A known variable at the start of a text, as it is written.
fn variable(text: &str, braces: bool) -> Option<&str> {
    let known = |name: &str| VARIABLES.contains(&name) || DIRECTORIES.contains(&name);
    if let Some(rest) = text.strip_prefix('%') {
        let name = rest.split('%').next().filter(|name| known(name) || *name == "CD")?;
        return text.get(..name.len() + 2);
    }
    let found = variable_at(text, 0).filter(|found| known(found.name))?;
    let is_whole = !found.is_braced || braces && found.after.starts_with('}');
    text.get(found.range).filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn what_a_shell_expands() {
        let found = |text: &str, templates: bool| {
            find(text, templates).map(|range| text.get(range).unwrap_or_default().to_owned())
        };
        for (text, written) in [
            ("~/x.sh", "~"),
            ("$HOME/x.sh", "$HOME"),
            ("a:$PATH", "$PATH"),
            ("--config=~/x", "~"),
            ("%USERPROFILE%\\x", "%USERPROFILE%"),
            ("$CLAUDE_PROJECT_DIR/x", "$CLAUDE_PROJECT_DIR"),
        ] {
            assert_eq!(found(text, true).as_deref(), Some(written), "{text}");
            assert_eq!(found(text, false).as_deref(), Some(written), "{text}");
        }
        assert_eq!(found("${HOME}/x", false).as_deref(), Some("${HOME}"));
        assert_eq!(found("${HOME}/x", true), None);
        assert_eq!(found("$${HOME}/x", true).as_deref(), Some("${HOME}"));
        for text in ["~", "~x", "$HOMEPAGE", "${CLAUDE_PROJECT_DIR}/x", "100%", "%s %d", "a~/b", "$1", "x$"] {
            assert_eq!(found(text, false), None, "{text}");
        }
    }
}
