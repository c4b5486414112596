//! Which predicates can be true of an event, without asking each of them.

use super::compiled::{Form, Objects};
use super::keys::{Index, Key, Keyed};
use super::{Actions, Compiled, Guard, Predicate};

/// The predicates of a policy by what an event must have so that they are true: those about commands by the keys of
/// their patterns, all others by the kinds of effects. A predicate that is true of an event is one of its candidates.
#[derive(Debug, Default)]
pub struct Candidates {
    by_command: Index,
    /// Predicates without patterns, each with those that are true only if it can be; without one, those that can always be.
    classes: Vec<(Option<Predicate>, Bits)>,
}

/// Numbers, a bit for each.
type Bits = Vec<u64>;

impl Candidates {
    /// An index of predicates, which have their numbers in this order. What cannot be read is always a candidate.
    #[must_use]
    pub fn new(predicates: &[Option<&Compiled>]) -> Self {
        let mut made = Self { by_command: Index::new(predicates.iter(), 0), classes: Vec::new() };
        for (number, compiled) in (0..).zip(predicates) {
            let class = match compiled {
                None => None,
                Some(compiled) if compiled.keys().is_none() => Some(without_patterns(compiled.predicate())),
                Some(compiled) if is_possible(compiled.predicate()) => Some(Predicate::Unknown),
                Some(_) => continue,
            };
            match made.classes.iter_mut().find(|(known, _)| *known == class) {
                Some((_, bits)) => set(bits, number),
                None => {
                    let mut bits = Bits::new();
                    set(&mut bits, number);
                    made.classes.push((class, bits));
                }
            }
        }
        made
    }

    /// Finds the predicates that can be true of an event: a bit for each.
    pub fn find(&self, actions: &Actions, out: &mut Vec<u64>) {
        out.clear();
        let can_hold = |class: &Option<Predicate>| class.as_ref().is_none_or(|class| class.can_hold(actions));
        for (_, bits) in self.classes.iter().filter(|(class, _)| can_hold(class)) {
            out.resize(out.len().max(bits.len()), 0);
            out.iter_mut().zip(bits).for_each(|(word, bits)| *word |= bits);
        }
        for act in actions.commands() {
            self.by_command.each(act.keys(), &mut |number| set(out, number));
        }
    }
}

fn set(bits: &mut Bits, number: u32) {
    let word = crate::token::long(number / u64::BITS);
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    bits.get_mut(word).into_iter().for_each(|word| *word |= 1 << (number % u64::BITS));
}

const fn is_possible(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::Guard(guard) if guard.is_possible)
}

fn without_patterns(predicate: &Predicate) -> Predicate {
    match predicate {
        Predicate::Guard(guard) => {
            Predicate::Guard(Guard { is_possible: guard.is_possible, ..Guard::new(guard.verb) })
        }
        Predicate::Only(_) => Predicate::Only(Vec::new()),
        Predicate::Unknown => Predicate::Unknown,
        Predicate::Mentions(_) => Predicate::Mentions(Vec::new()),
        Predicate::Passed(_) => Predicate::Passed(Vec::new()),
    }
}

/// A predicate that is true only of events with a command that has one of some keys, or of which part is unknown.
impl Keyed for Option<&Compiled> {
    fn keys(&self) -> Option<Vec<Key>> {
        self.and_then(Compiled::keys)
    }
}

impl Compiled {
    /// The keys of the commands of which it is true, if it is not true of others.
    fn keys(&self) -> Option<Vec<Key>> {
        if !self.predicate.is_about_commands() {
            return None;
        }
        match self.form()? {
            Form::Guard(guard) => match &guard.of {
                Objects::Commands(of) if !of.is_empty() => of.keys(),
                _ => None,
            },
            Form::Passed(commands) => commands.keys(),
            Form::Only(_) | Form::Unknown | Form::Mentions(_) => None,
        }
    }
}
