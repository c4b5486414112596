//! Writers: the tree back to a dialect (`hookc convert`).

pub mod directive_xml;
pub mod hooks_yaml;
mod inert;
mod part;
pub mod repository;
pub mod settings;
pub mod skill;
mod value;
pub mod workflow;

use hookc_schema::tree::{Declarations, Family, Hook, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Span};

use crate::Dialect;

/// A thing that the target dialect cannot say.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Where it was written.
    pub span: Span,
    /// What it is and why it cannot be said, naming the hook.
    pub what: String,
}

/// A file that a writer made.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Its path in the folder that is written to, where the dialect has a say
    /// in it or there are several files.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
}

/// Writes a policy in a dialect, and tells what it cannot say.
#[must_use]
pub fn write(policy: &Policy, target: Dialect) -> (Vec<Written>, Vec<Loss>) {
    let one = |(text, losses)| (vec![Written { name: None, text }], losses);
    let (written, mut losses) = match target {
        Dialect::HooksYaml => one(hooks_yaml::write(policy)),
        Dialect::DirectiveXml => one(directive_xml::write(policy)),
        Dialect::Settings => settings::write(policy),
        Dialect::Repository => repository::write(policy),
        Dialect::Skill => skill::write(policy),
        Dialect::Workflow => workflow::write(policy),
        Dialect::Codex
        | Dialect::Gemini
        | Dialect::Cursor
        | Dialect::Copilot
        | Dialect::Windsurf
        | Dialect::Kiro => {
            let what = format!("hookc can read but not write hooks files of `{}`", target.name());
            (Vec::new(), vec![Loss { span: policy.source.span, what }])
        }
    };
    losses.extend(prose(policy, target));
    (written, losses)
}

pub use inert::executed;

/// What a policy says beside what is compiled: only its own notation has
/// words for it.
fn prose(policy: &Policy, target: Dialect) -> Vec<Loss> {
    let skill = policy.skill.as_ref().filter(|_| target != Dialect::Skill);
    let skill = skill.map(|skill| Loss {
        span: skill.name.span,
        what: format!(
            "the skill `{}`: only its hooks, not its text and trigger",
            skill.name.node.escape_debug()
        ),
    });
    let hooks = policy.hooks.iter().filter(|_| target != Dialect::Repository);
    let effects = hooks.filter_map(|hook| {
        let effect = hook.effects.first()?;
        Some(part::loss(hook, effect.name.span, "`effects` has no equivalent"))
    });
    skill.into_iter().chain(effects).collect()
}

/// Whether a file that looks its events up among those of threads first, as
/// hooks files and directives do, finds those of this hook.
fn reachable(hook: &Hook) -> bool {
    let vocabulary = Vocabulary::builtin();
    let found = |name: &str| vocabulary.event(Family::Thread, name).map(|event| event.family);
    hook.events.iter().all(|event| found(&event.node) == Some(hook.family))
}

/// The losses of the sections that only dialect A has; `target` is where they
/// cannot be declared.
fn declared(own: &Declarations, target: &str) -> Vec<Loss> {
    let what = |name| format!("`{name}:` cannot be declared in {target}");
    own.sections().map(|(name, value)| Loss { span: value.span, what: what(name) }).collect()
}

/// The diagnostic that tells a loss.
#[must_use]
pub fn diagnostic(loss: &Loss, target: Dialect) -> Diagnostic {
    Diagnostic::new(Code::E0801, loss.span, format!("{} cannot express this: {}", target.name(), loss.what))
        .help("write it differently, or omit it with --lossy")
}
