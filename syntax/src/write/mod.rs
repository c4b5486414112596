//! Writers: the tree back to a dialect (`hookc convert`).

pub mod directive_xml;
mod history;
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

/// A part of a policy that the target dialect cannot express.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loss {
    /// Its span.
    pub span: Span,
    /// The part and the reason, naming the hook.
    pub what: String,
}

/// A file from a writer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Written {
    /// Its path in the output directory, if the dialect determines it or there are several files.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
}

/// Writes a policy in a dialect, and returns its losses.
#[must_use]
pub fn write(policy: &Policy, target: Dialect) -> (Vec<Written>, Vec<Loss>) {
    if !matches!(target, Dialect::HooksYaml | Dialect::DirectiveXml)
        && let Some((rest, without)) = history::without(policy, target)
    {
        let (written, mut losses) = write(&rest, target);
        losses.extend(without);
        return (written, losses);
    }
    let one = |(text, losses)| (vec![Written { name: None, text }], losses);
    let (written, mut losses) = match target {
        Dialect::HooksYaml => one(hooks_yaml::write(policy)),
        Dialect::DirectiveXml => one(directive_xml::write(policy)),
        Dialect::Settings => settings::write(policy),
        Dialect::Repository => repository::write(policy),
        Dialect::Skill => skill::write(policy),
        Dialect::Workflow => workflow::write(policy),
        Dialect::Agent(_) => {
            let what = format!("hookc can read but not write hooks files of `{}`", target.name());
            (Vec::new(), vec![Loss { span: policy.source.span, what }])
        }
    };
    losses.extend(prose(policy, target));
    (written, losses)
}

pub use inert::executed;

/// The metadata of a policy, which only its own notation can express.
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

/// Whether a file that looks up its events among those of threads first, as hooks files and
/// directives do, finds the events of this hook.
fn reachable(hook: &Hook) -> bool {
    let vocabulary = Vocabulary::builtin();
    let found = |name: &str| vocabulary.event(Family::Thread, name).map(|event| event.family);
    hook.events.iter().all(|event| found(&event.node) == Some(hook.family))
}

/// The losses of the sections that only hooks files have; `target` is where they
/// cannot be declared.
fn declared(own: &Declarations, target: &str) -> Vec<Loss> {
    let what = |name| format!("`{name}:` cannot be declared in {target}");
    own.sections().map(|(name, value)| Loss { span: value.span, what: what(name) }).collect()
}

/// The diagnostic of a loss.
#[must_use]
pub fn diagnostic(loss: &Loss, target: Dialect) -> Diagnostic {
    Diagnostic::new(Code::E0801, loss.span, format!("{} cannot express this: {}", target.name(), loss.what))
        .help("write it differently, or omit it with --lossy")
}
