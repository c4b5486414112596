//! A variable of a directory that the shell splits at whitespace (W0667): `$CLAUDE_PROJECT_DIR/check.sh`.

use hookc_base::action::Kind;
use hookc_base::quoting::{Expansion, Quoting, expansions};
use hookc_schema::agents;
use hookc_schema::tree::Hook;
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Span};

/// Variables with a directory, besides those that agents set.
const SHARED: [&str; 5] = ["HOME", "PWD", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "PLUGIN_ROOT"];

/// Commands whose words are not split.
const UNSPLIT: [&str; 2] = ["[[", "case "];

/// The first such variable of each command line of a policy, and where it is.
#[derive(Default)]
pub(super) struct Unquoted(Vec<(Span, String)>);

impl Unquoted {
    /// Takes over that of a hook. `agent` is the agent that reads the file, if that is known.
    pub(super) fn add(&mut self, hook: &Hook, agent: Option<&'static str>) {
        self.0.extend(find(hook, agent));
    }

    /// The diagnostic for the policy: the first one, and their number.
    pub(super) fn report(self) -> Option<Diagnostic> {
        let (span, text) = self.0.first()?;
        let what = match self.0.len() {
            1 => format!("the shell splits `{text}` where the directory has a space"),
            count => format!(
                "the shell splits {count} paths where a directory has a space: the first has `{text}`"
            ),
        };
        let new = Diagnostic::new(Code::W0667, *span, what).with_label("not quoted");
        Some(new.help(format!("write `\"{text}\"`, in double quotes")))
    }
}

fn find(hook: &Hook, agent: Option<&'static str>) -> Option<(Span, String)> {
    let words = ["argv", "args"].iter().any(|name| hook.param(name).is_some());
    let shell = hook.param("shell").and_then(Value::as_str).unwrap_or("sh");
    if hook.action.known() != Some(Kind::Run) || words || !matches!(shell, "sh" | "bash" | "dash") {
        return None;
    }
    let command = hook.param("command")?;
    let line = command.as_str()?;
    if UNSPLIT.iter().any(|word| line.contains(word)) {
        return None;
    }
    let fills = agent
        .and_then(agents::by_name)
        .and_then(|agent| agent.settings.as_ref())
        .is_some_and(|settings| settings.fills_root);
    let splits = |one: &&Expansion<'_>| {
        one.quoting == Quoting::Bare
            && !one.assigned
            && is_directory(one.name)
            && (!fills || one.text.contains('{'))
    };
    // A variable alone may be a text (`echo $HOME`).
    let is_path = |one: &&Expansion<'_>| {
        let (before, rest) = line.split_at_checked(one.at).unwrap_or_default();
        rest.get(one.text.len()..).is_some_and(|rest| rest.starts_with('/'))
            || before.trim_end().ends_with("cd")
    };
    let found = expansions(line);
    let first = found.iter().filter(splits).find(is_path)?;
    Some((command.span_within(first.at..first.at + first.text.len()), first.text.to_owned()))
}

/// Whether a variable has a directory.
fn is_directory(name: &str) -> bool {
    let root = |agent: &agents::Agent| {
        agent.settings.as_ref().is_some_and(|settings| settings.root.as_deref() == Some(name))
    };
    SHARED.contains(&name) || agents::all().any(root)
}
