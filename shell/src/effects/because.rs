//! Why a predicate is true.

use super::compiled::Form;
use super::guard::{self, Witness};
use super::only::{Uncovered, uncovered};
use super::pattern::machine::Meter;
use super::{Act, Actions, Compiled, Effect, Guard, Predicate, UnknownCause};

/// What made a predicate true.
#[derive(Clone, Debug)]
pub struct Because<'a> {
    /// What of the event.
    pub cause: Cause<'a>,
    /// The pattern of the policy that it matches; none for a guard without patterns, and if something is unknown.
    pub pattern: Option<String>,
    /// Whether that certainly matches the pattern, rather than possibly.
    pub is_certain: bool,
}

/// What of an event made a predicate true.
#[derive(Clone, Copy, Debug)]
pub enum Cause<'a> {
    /// Something is unknown.
    Unknown(UnknownCause),
    /// A command.
    Command(Act<'a>),
    /// An effect.
    Effect(Effect<'a>),
    /// A text.
    Text(&'a str),
}

impl Compiled {
    /// What made it true; none if it is false, and for `only`.
    #[must_use]
    pub fn because<'a>(&self, actions: &'a Actions) -> Option<Because<'a>> {
        let cause = match self.form()? {
            Form::Guard(compiled) => match guard::witness(compiled, actions, &Meter::default())? {
                Witness::Unknown => Cause::Unknown(actions.unknown()?),
                Witness::Command(act) => Cause::Command(act),
                Witness::Effect(effect) => Cause::Effect(effect),
            },
            Form::Only(_) => return None,
            Form::Unknown => Cause::Unknown(actions.unknown()?),
            Form::Mentions(texts) => Cause::Text(actions.texts().find(|text| texts.is_in(text))?),
            Form::Passed(commands) => Cause::Command(guard::passed(commands, actions)?),
        };
        let pattern = if matches!(cause, Cause::Unknown(_)) { None } else { self.pattern(actions) };
        let certain = match &self.predicate {
            Predicate::Guard(guard) if guard.is_possible => {
                let of = pattern.iter().cloned().collect();
                Some(Predicate::Guard(Guard { of, is_possible: false, ..guard.clone() }))
            }
            _ => None,
        };
        let is_certain = certain.is_none_or(|certain| self.sibling(certain).holds(actions));
        Some(Because { cause, pattern, is_certain })
    }

    /// Another predicate of the same policy.
    fn sibling(&self, predicate: Predicate) -> Self {
        Self::new(predicate, &self.source.sets, &self.source.programs)
    }

    /// The first pattern that makes it true without the others.
    fn pattern(&self, actions: &Actions) -> Option<String> {
        let alone = |pattern: &String| match &self.predicate {
            Predicate::Guard(guard) => Predicate::Guard(Guard { of: vec![pattern.clone()], ..guard.clone() }),
            Predicate::Mentions(_) => Predicate::Mentions(vec![pattern.clone()]),
            _ => Predicate::Passed(vec![pattern.clone()]),
        };
        let (_, _, patterns) = self.predicate.lists().next()?;
        let mut patterns = patterns.iter();
        patterns.find(|pattern| self.sibling(alone(pattern)).holds(actions)).cloned()
    }

    /// What makes `only` false; none if it is true, and for other predicates.
    #[must_use]
    pub fn uncovered<'a>(&self, actions: &'a Actions) -> Option<Uncovered<'a>> {
        match self.form()? {
            Form::Only(guards) => uncovered(guards, actions),
            _ => None,
        }
    }
}
