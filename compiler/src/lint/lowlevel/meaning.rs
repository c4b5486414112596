//! Guards as the meaning of a condition.

use std::collections::HashSet;
use std::sync::LazyLock;

use hookc_base::Verb;
use hookc_shell::effects::{
    self, Actions, Compiled, PatternKind, Predicate, ShippedSet, check, compile, doubts, shipped_sets,
};

use crate::effects::shown;

/// The most patterns of a guard.
const PATTERNS: usize = 12;

/// What a condition means: guards, one of which suffices.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) guards: Vec<Guard>,
    /// Whether this is all that the condition is about.
    pub(super) is_whole: bool,
    /// Whether it is true whenever the condition is: a denial stays at least as strict.
    pub(super) is_certain: bool,
    /// Flags of its command that start as one that it names: `--force-with-lease`.
    pub(super) similar: Option<String>,
    /// The program that it names, if no row describes it: the text may mean something else.
    pub(super) unknown_program: Option<String>,
}

/// A guard without its span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guard {
    /// The kind of effect; `None` for `mentions`.
    pub(super) verb: Option<Verb>,
    pub(super) of: Vec<String>,
    pub(super) except: Vec<String>,
}

impl Meaning {
    /// A guard with these patterns, if it is valid and some event can make it true.
    pub(super) fn new(verb: Option<Verb>, of: Vec<String>) -> Option<Self> {
        let mut seen = HashSet::new();
        let of = of.into_iter().filter(|pattern| seen.insert(pattern.clone())).collect();
        let guard = Guard { verb, of, except: Vec::new() };
        let can_match = verb != Some(Verb::Run)
            || guard.of.iter().all(|pattern| doubts(pattern, Default::default()).is_empty());
        let is_valid =
            || guard.of.len() <= PATTERNS && check(&guard.predicate(), &[], Default::default()).is_ok();
        (can_match && !guard.of.is_empty() && is_valid()).then(|| Self::from(guard))
    }

    /// A guard of everything except something.
    pub(super) fn except(verb: Verb, except: &str) -> Self {
        Self::from(Guard { verb: Some(verb), of: Vec::new(), except: vec![except.to_owned()] })
    }

    /// Some of the texts of the condition have no such meaning.
    pub(super) fn whole_if(self, is_whole: bool) -> Self {
        Self { is_whole: self.is_whole && is_whole, ..self }
    }

    /// The guard is true whenever the condition is.
    pub(super) fn certain(self) -> Self {
        Self { is_certain: true, ..self }
    }

    /// The guard may be false where the condition is true.
    pub(super) fn doubtful(self) -> Self {
        Self { is_certain: false, ..self }
    }

    /// What either means.
    pub(super) fn or(mut self, other: Self) -> Self {
        for guard in other.guards {
            let is_like = |known: &&mut Guard| known.verb == guard.verb && known.except == guard.except;
            match self.guards.iter_mut().find(is_like) {
                Some(known) => {
                    let new = guard.of.into_iter().filter(|pattern| !known.of.contains(pattern));
                    let new: Vec<_> = new.collect();
                    known.of.extend(new);
                }
                None => self.guards.push(guard),
            }
        }
        let (is_whole, is_certain) = (self.is_whole && other.is_whole, self.is_certain && other.is_certain);
        let unknown_program = self.unknown_program.take().or(other.unknown_program);
        let similar = self.similar.take().or(other.similar);
        Self { is_whole, is_certain, unknown_program, similar, ..self }
    }

    /// Whether each guard is about what a command line runs.
    pub(super) fn is_about_commands(&self) -> bool {
        self.guards.iter().all(|guard| guard.verb == Some(Verb::Run))
    }

    /// As an expression, in parentheses where it is joined with others.
    pub(super) fn text(&self, is_part: bool) -> String {
        let guards: Vec<String> = self.guards.iter().map(|guard| shown(&guard.predicate())).collect();
        let text = guards.join(" or ");
        if is_part && guards.len() > 1 { format!("({text})") } else { text }
    }
}

impl From<Guard> for Meaning {
    fn from(guard: Guard) -> Self {
        Self { guards: vec![guard], is_whole: true, is_certain: false, similar: None, unknown_program: None }
    }
}

/// The shipped sets of texts.
static TEXT_SETS: LazyLock<Vec<(&str, Compiled)>> = LazyLock::new(|| {
    let sets = shipped_sets().iter().filter(|set| set.kind == PatternKind::Text);
    let compiled = |set: &ShippedSet| {
        let predicate = Predicate::Mentions(vec![format!("@{}", set.name)]);
        Some((set.name, compile(&predicate, &[], Default::default()).ok()?))
    };
    sets.filter_map(compiled).collect()
});

/// The shipped set of texts that has all of these.
pub(super) fn text_set(texts: &[&str]) -> Option<Meaning> {
    let has = |(_, set): &&(&str, Compiled)| {
        texts.iter().all(|text| {
            let mut actions = Actions::default();
            actions.add_text(&format!("{text} x"));
            set.holds(&actions)
        })
    };
    let (name, _) = TEXT_SETS.iter().find(has).filter(|_| !texts.is_empty())?;
    Meaning::new(None, vec![format!("@{name}")])
}

impl Guard {
    /// The name of its predicate.
    pub(super) fn name(&self) -> &'static str {
        self.verb.map_or("mentions", Verb::plural)
    }

    fn predicate(&self) -> Predicate {
        let (of, except) = (self.of.clone(), self.except.clone());
        match self.verb {
            Some(verb) => Predicate::Guard(effects::Guard { of, except, ..effects::Guard::new(verb) }),
            None => Predicate::Mentions(of),
        }
    }
}
