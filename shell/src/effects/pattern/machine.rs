//! Compares texts with globs.
//!
//! A set of positions in a glob says which of its prefixes match the text so far. A text without holes has one such set
//! at a time. A text with holes can be many texts, so that there are several: a text certainly matches if each of them
//! accepts, and possibly if one of them does.

use std::cell::Cell;

use super::glob::{Case, Glob, Step, Syntax};
use super::positions::Positions;
use crate::HoleKind;
use crate::effects::Text;
use crate::token::long;

/// Whether all texts that a text can be must match, or one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    Certain,
    Possible,
}

/// Steps of one comparison.
const STEPS: u32 = 1 << 16;

/// Steps of the comparisons of an event with a predicate.
const EVENT_STEPS: u32 = 1 << 20;

/// A character that no pattern has.
const OTHER: char = '\u{10FFFD}';

/// Counts steps. After the last one, nothing is certain any more and everything is possible.
#[derive(Debug)]
pub(crate) struct Meter {
    left: Cell<u32>,
    is_spent: Cell<bool>,
}

impl Default for Meter {
    fn default() -> Self {
        Self { left: Cell::new(EVENT_STEPS), is_spent: Cell::new(false) }
    }
}

impl Meter {
    fn take(&self, left: &mut u32, steps: usize) -> bool {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let (Some(comparison), Some(event)) = (left.checked_sub(steps), self.left.get().checked_sub(steps))
        else {
            self.is_spent.set(true);
            return false;
        };
        *left = comparison;
        self.left.set(event);
        true
    }

    /// Whether a comparison had too few steps, so that its answer is unknown.
    pub(crate) const fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Whether there are steps left for a comparison.
    #[cfg(test)]
    pub(crate) fn has_left(&self) -> bool {
        self.left.get() > STEPS
    }
}

/// A part of a text.
#[derive(Clone, Copy)]
enum Element {
    Char(char),
    Hole(HoleKind),
}

/// How far a name of the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// Nothing of the text is read.
    Start,
    /// It is empty so far.
    Empty,
    /// It is empty so far and starts with a wildcard of a shell, which matches no dot there.
    Wild,
    Started,
}

/// What a text can have led to.
#[derive(Clone, PartialEq, Eq)]
struct State {
    positions: Positions,
    name: Name,
}

impl Glob {
    /// Whether a text matches.
    pub(crate) fn matches(&self, text: Text<'_>, how: Match, case: Case, meter: &Meter) -> bool {
        self.run(text, false, how, case, meter)
    }

    /// Whether a text matches if a slash and any text follow it: in all cases, or in some.
    pub(crate) fn matches_below(&self, text: Text<'_>, how: Match, case: Case, meter: &Meter) -> bool {
        self.run(text, true, how, case, meter)
    }

    fn run(&self, text: Text<'_>, is_below: bool, how: Match, case: Case, meter: &Meter) -> bool {
        if text.holes.is_empty() && !is_below {
            match self.literal() {
                Some(literal) if case == Case::Respected => return literal == text.text,
                Some(literal) if literal.is_ascii() && text.text.is_ascii() => {
                    return literal.eq_ignore_ascii_case(text.text);
                }
                _ => {}
            }
        }
        !self.differs(text, is_below, how, case) && self.compare_text(text, is_below, how, case, meter)
    }

    /// Compares step by step.
    pub(super) fn compare_text(
        &self,
        text: Text<'_>,
        is_below: bool,
        how: Match,
        case: Case,
        meter: &Meter,
    ) -> bool {
        let mut machine =
            Machine { glob: self, case, how, left: STEPS, meter, states: Vec::new(), is_wild: true };
        let result = if text.holes.is_empty() && !is_below {
            machine.literal(text.text.chars())
        } else {
            let slash = (!text.text.ends_with('/') && !text.text.is_empty()).then_some(Element::Char('/'));
            let below = slash.into_iter().chain(std::iter::once(Element::Hole(HoleKind::Text)));
            let below = below.take(if is_below { 2 } else { 0 });
            let elements = elements(text).chain(below);
            // One of the texts that it can be is read fast, and most globs do not match it.
            let sample = elements.clone().map(|element| match element {
                Element::Char(next) => next,
                Element::Hole(_) => OTHER,
            });
            if how == Match::Certain && machine.literal(sample) == Some(false) {
                return false;
            }
            machine.text(elements)
        };
        result.unwrap_or(how == Match::Possible)
    }

    /// Whether it matches all that another glob without alternatives matches. It can be false although it does.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        self == other || self.compare(other, Match::Certain)
    }

    /// Whether some text matches both. It can be true although none does.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.compare(other, Match::Possible)
    }

    /// Compares the texts that another glob matches, and possibly some more.
    fn compare(&self, other: &Self, how: Match) -> bool {
        let meter = Meter::default();
        let mut machine = Machine {
            glob: self,
            case: Case::Ignored,
            how,
            left: STEPS,
            meter: &meter,
            states: Vec::new(),
            is_wild: false,
        };
        let elements = other.steps.iter().filter_map(|step| match step {
            Step::Char(next) => Some(Element::Char(*next)),
            Step::One | Step::Class(_) if other.syntax == Syntax::Path => Some(Element::Hole(HoleKind::Char)),
            Step::Name => Some(Element::Hole(HoleKind::Name)),
            Step::One | Step::Class(_) | Step::Any => Some(Element::Hole(HoleKind::Text)),
            Step::Optional(_) | Step::Accept => None,
        });
        // What can be left out is a part of the text after it, about which nothing is known.
        let mut is_after_tree = false;
        let elements = elements.filter(|element| {
            let is_slash = is_after_tree && matches!(element, Element::Char('/'));
            is_after_tree = matches!(element, Element::Hole(HoleKind::Text));
            !is_slash
        });
        machine.text(elements).unwrap_or(how == Match::Possible)
    }

    fn start(&self) -> Positions {
        let mut start = Positions::default();
        self.add(&mut start, 0);
        start
    }

    /// Adds a position, and those after steps that can match nothing.
    fn add(&self, positions: &mut Positions, at: usize) {
        if positions.has(at) {
            return;
        }
        positions.set(at);
        match self.steps.get(at) {
            Some(Step::Name | Step::Any) => self.add(positions, at + 1),
            Some(Step::Optional(end)) => {
                self.add(positions, at + 1);
                self.add(positions, *end);
            }
            _ => {}
        }
    }

    fn step(&self, positions: &Positions, next: char, case: Case, after: &mut Positions) {
        after.clear();
        let is_in_name = next != '/' || self.syntax == Syntax::Text;
        for at in positions.iter() {
            match self.steps.get(at) {
                Some(Step::Char(expected)) if is_same(*expected, next, case) => self.add(after, at + 1),
                Some(Step::One) if is_in_name => self.add(after, at + 1),
                Some(Step::Class(class)) if is_in_name && class.has(next, case) => self.add(after, at + 1),
                Some(Step::Name) if is_in_name => self.add(after, at),
                Some(Step::Any) => self.add(after, at),
                _ => {}
            }
        }
    }

    fn accepts(&self, positions: &Positions) -> bool {
        positions.iter().any(|at| self.steps.get(at) == Some(&Step::Accept))
    }

    /// Characters that stand for all characters: each one is compared as one of these is.
    fn alphabet(&self) -> Vec<char> {
        let mut chars = vec!['/', '.', OTHER];
        for step in &self.steps {
            match step {
                Step::Char(next) => chars.extend(variants(*next)),
                Step::Class(class) => {
                    for (low, high) in &class.ranges {
                        let outside = [u32::from(*low).checked_sub(1), u32::from(*high).checked_add(1)];
                        let outside = outside.into_iter().flatten().filter_map(char::from_u32);
                        chars.extend(outside.chain([*low, *high]).flat_map(variants));
                    }
                }
                _ => {}
            }
        }
        chars.sort_unstable();
        chars.dedup();
        chars
    }
}

/// A character in both cases.
fn variants(next: char) -> impl Iterator<Item = char> {
    std::iter::once(next).chain(next.to_lowercase()).chain(next.to_uppercase())
}

pub(super) fn is_same(one: char, other: char, case: Case) -> bool {
    one == other
        || case == Case::Ignored
            && if one.is_ascii() && other.is_ascii() {
                one.eq_ignore_ascii_case(&other)
            } else {
                one.to_lowercase().eq(other.to_lowercase())
            }
}

fn elements(text: Text<'_>) -> impl Iterator<Item = Element> + Clone {
    let (mut at, mut holes) = (0, text.holes.iter().peekable());
    std::iter::from_fn(move || {
        if let Some(hole) = holes.next_if(|hole| long(hole.from) <= at) {
            at = at.max(long(hole.to));
            return Some(Element::Hole(hole.kind));
        }
        let next = text.text.get(at..)?.chars().next()?;
        at += next.len_utf8();
        Some(Element::Char(next))
    })
}

struct Machine<'g> {
    glob: &'g Glob,
    case: Case,
    how: Match,
    left: u32,
    meter: &'g Meter,
    states: Vec<State>,
    /// Whether wildcards of the text are those of a shell, which match no dot at the start of a name.
    is_wild: bool,
}

impl Machine<'_> {
    /// Whether a text without holes matches; none if there are too many steps.
    fn literal(&mut self, text: impl Iterator<Item = char>) -> Option<bool> {
        let (mut positions, mut after) = (self.glob.start(), Positions::default());
        for next in text {
            if !self.meter.take(&mut self.left, 1 + positions.extra_words()) {
                return None;
            }
            self.glob.step(&positions, next, self.case, &mut after);
            std::mem::swap(&mut positions, &mut after);
            if positions.is_empty() {
                return Some(false);
            }
        }
        Some(self.glob.accepts(&positions))
    }

    /// Whether a text with holes matches; none if there are too many steps.
    fn text(&mut self, elements: impl Iterator<Item = Element>) -> Option<bool> {
        let mut alphabet = None;
        self.states = vec![State { positions: self.glob.start(), name: Name::Start }];
        for element in elements {
            match element {
                Element::Char(next) => {
                    for state in std::mem::take(&mut self.states) {
                        self.take(&state)?;
                        let next = self.after(&state, next);
                        self.push(next);
                    }
                }
                Element::Hole(kind) => {
                    self.hole(kind, alphabet.get_or_insert_with(|| self.glob.alphabet()))?;
                }
            }
            let is_lost = |state: &State| state.positions.is_empty();
            match self.how {
                Match::Certain if self.states.iter().any(is_lost) => return Some(false),
                Match::Certain => {}
                Match::Possible => self.states.retain(|state| !is_lost(state)),
            }
            if self.states.is_empty() {
                return Some(false);
            }
        }
        let accepts = |state: &State| self.glob.accepts(&state.positions);
        Some(match self.how {
            Match::Certain => self.states.iter().all(accepts),
            Match::Possible => self.states.iter().any(accepts),
        })
    }

    fn take(&mut self, state: &State) -> Option<()> {
        self.meter.take(&mut self.left, 1 + state.positions.extra_words()).then_some(())
    }

    /// Where a character leads; none if no text has it there.
    fn after(&self, state: &State, next: char) -> Option<State> {
        if next == '.' && state.name == Name::Wild {
            return None;
        }
        if next == '/' && state.name == Name::Empty && self.glob.syntax == Syntax::Path {
            // `a//b` is `a/b`.
            return Some(state.clone());
        }
        let mut positions = Positions::default();
        self.glob.step(&state.positions, next, self.case, &mut positions);
        Some(State { positions, name: if next == '/' { Name::Empty } else { Name::Started } })
    }

    fn push(&mut self, state: Option<State>) {
        let Some(state) = state else { return };
        if self.how == Match::Possible
            && let Some(seen) = self.states.iter_mut().find(|seen| seen.name == state.name)
        {
            seen.positions.merge(&state.positions);
            return;
        }
        if !self.states.contains(&state) {
            self.states.push(state);
        }
    }

    fn hole(&mut self, kind: HoleKind, alphabet: &[char]) -> Option<()> {
        let mut pending = std::mem::take(&mut self.states);
        let is_in_name = matches!(kind, HoleKind::Name | HoleKind::Char);
        if is_in_name && self.is_wild {
            for state in pending.iter_mut().filter(|state| matches!(state.name, Name::Start | Name::Empty)) {
                state.name = Name::Wild;
            }
        }
        if kind != HoleKind::Char {
            pending.iter().for_each(|state| self.push(Some(state.clone())));
        }
        let chars = || alphabet.iter().filter(|next| !is_in_name || **next != '/');
        while let Some(state) = pending.pop() {
            for next in chars() {
                self.take(&state)?;
                let Some(next) = self.after(&state, *next) else { continue };
                if kind == HoleKind::Char {
                    self.push(Some(next));
                } else if !self.has(&next) {
                    pending.push(next.clone());
                    self.push(Some(next));
                }
            }
        }
        Some(())
    }

    /// Whether a state is known, or is a part of a known one that has the meaning of all its parts.
    fn has(&self, state: &State) -> bool {
        if self.how == Match::Certain {
            return self.states.contains(state);
        }
        let known = self.states.iter().find(|known| known.name == state.name);
        known.is_some_and(|known| {
            let mut merged = known.positions.clone();
            merged.merge(&state.positions);
            merged == known.positions
        })
    }
}
