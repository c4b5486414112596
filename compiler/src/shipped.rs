//! The shipped thread hooks (limit escalation, transient retry, compaction), and the rule for
//! linking them.

use hookc_schema::Sources;
use hookc_schema::tree::{Family, Hook, Layer, Policy};
use hookc_schema::vocab::Vocabulary;

use crate::{Dialect, Input};

/// Whether a compilation links the shipped thread hooks.
///
/// ```
/// use hookc_compiler::{Builtin, Options, compile};
/// use hookc_schema::Sources;
///
/// let mut sources = Sources::new();
/// let compiled = compile(&mut sources, &[], &Options::default().builtin(Builtin::Always));
/// assert!(compiled.module.is_some() && compiled.shipped.is_some());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Builtin {
    /// Never: the default for programs.
    #[default]
    Never,
    /// If one of the sources is a policy of threads: what the command line does.
    Threads,
    /// Always, with any sources.
    Always,
}

impl Builtin {
    /// Whether the shipped hooks are linked with these policies.
    #[must_use]
    pub fn applies<'p>(self, mut policies: impl Iterator<Item = &'p Policy>) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Threads => {
                let vocabulary = Vocabulary::builtin();
                policies.any(|policy| is_of_threads(policy, &vocabulary))
            }
        }
    }
}

/// Whether a policy is a thread policy: it has a hook, enabled or not, at an event of the shipped
/// thread vocabulary.
///
/// A disabled hook counts, so that `enabled: false` changes only that hook. An undeclared event, or
/// one that only the file declares, does not: a misspelled event of an agent links nothing.
/// Settings of agents, repository hooks, skills and workflows have no thread hooks.
fn is_of_threads(policy: &Policy, vocabulary: &Vocabulary) -> bool {
    let is_thread = |name: &str| {
        vocabulary.event(Family::Thread, name).is_some_and(|event| event.family == Family::Thread)
    };
    let counts =
        |hook: &Hook| hook.family == Family::Thread && hook.events.iter().any(|event| is_thread(&event.node));
    policy.hooks.iter().any(counts)
}

/// The source of the shipped hooks.
pub(crate) fn input(sources: &mut Sources) -> Input {
    let source = sources.add("<builtin>/hooks.yaml", include_str!("builtin/hooks.yaml"));
    Input::new(source).with_dialect(Dialect::HooksYaml).with_layer(Layer::Builtin)
}
