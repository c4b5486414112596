//! Random questions and events, from a seed.

use crate::model::{Event, Negated, Operator, Pattern, Question, Said, Tie, Watched, Where, Word};

/// SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Less than `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit).unwrap()).unwrap()
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// Fields of an event.
pub(crate) const FIELDS: usize = 4;

/// How wild the events are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Values of a field: 0 to this, exclusive.
    pub(crate) values: u8,
    /// Fields may have several results.
    pub(crate) several: bool,
    /// Conditions may be unknown.
    pub(crate) unknown: bool,
    /// Events may be pending.
    pub(crate) pending: bool,
    /// Numbers may have too many digits.
    pub(crate) long_numbers: bool,
}

pub(crate) fn event(random: &mut Random, style: &Style, last_time: u64) -> Event {
    let fields = (0..FIELDS)
        .map(|_| {
            let results = if random.one_in(8) {
                0
            } else if style.several && random.one_in(4) {
                2
            } else {
                1
            };
            (0..results).map(|_| u8::try_from(random.below(usize::from(style.values))).unwrap()).collect()
        })
        .collect();
    let number = |random: &mut Random| {
        if style.long_numbers && random.one_in(40) {
            return "12345678901234567890123456789012345678901";
        }
        random.pick(&["0", "1", "2.5", "-3", "10", "0.5", "100"])
    };
    let numbers = (0..random.pick(&[0, 1, 1, 2])).map(|_| number(random)).collect();
    let step = random.pick(&[0, 0, 1, 1, 5, 10, 100, 1_000, 100_000]);
    let said =
        random.pick(&[Said::Nothing, Said::Nothing, Said::Nothing, Said::Allow, Said::Ask, Said::Deny]);
    let pending = style.pending && random.one_in(5);
    Event { kind: random.below(3), fields, numbers, time: last_time + step, said, pending }
}

fn tie(random: &mut Random) -> Tie {
    (random.below(FIELDS), random.below(FIELDS))
}

fn field_is(random: &mut Random, style: &Style) -> Option<(usize, u8)> {
    let value = u8::try_from(random.below(usize::from(style.values.min(4)))).unwrap();
    (!random.one_in(3)).then(|| (random.below(FIELDS), value))
}

fn pattern(random: &mut Random, style: &Style) -> Pattern {
    let mut kinds: Vec<usize> = (0..3).filter(|_| !random.one_in(3)).collect();
    if kinds.is_empty() {
        kinds.push(random.below(3));
    }
    Pattern {
        word: random.pick(&[
            Word::Happened,
            Word::Happened,
            Word::Denied,
            Word::Asked,
            Word::Allowed,
            Word::Any,
        ]),
        kinds,
        field_is: field_is(random, style),
        unknown_field: (style.unknown && random.one_in(3)).then(|| random.below(FIELDS)),
    }
}

fn ties(random: &mut Random) -> Vec<Tie> {
    (0..random.pick(&[0, 0, 0, 1, 1, 2])).map(|_| tie(random)).collect()
}

fn with_ties(random: &mut Random, style: &Style, can_differ: bool) -> Where {
    let conjuncts = if can_differ { random.pick(&[0, 0, 0, 1, 1, 2, 3]) } else { 0 };
    let negated = (0..conjuncts)
        .map(|_| Negated {
            ties: (0..random.pick(&[1, 1, 2])).map(|_| tie(random)).collect(),
            field_is: random.one_in(3).then(|| field_is(random, style)).flatten(),
        })
        .collect();
    Where { pattern: pattern(random, style), ties: ties(random), negated, watched: Watched::default() }
}

pub(crate) fn question(random: &mut Random, style: &Style) -> Question {
    let operator = match random.below(6) {
        0 => Operator::Formerly,
        1 => Operator::AtLeast(random.pick(&[1, 2, 3, 5])),
        2 => Operator::Count,
        3 => Operator::Sum,
        4 => Operator::Distinct(random.pick(&[1, 2, 3])),
        _ => Operator::Last(random.pick(&[1, 2, 3])),
    };
    let main = with_ties(random, style, operator == Operator::Formerly);
    let within = random.one_in(2).then(|| random.pick(&[0, 1, 10, 100, 1_000, 100_000]));
    let mut since: Vec<Where> =
        (0..random.pick(&[0, 0, 1, 1, 2])).map(|_| with_ties(random, style, true)).collect();
    // A counter has untied anchors and no window.
    let within = within.filter(|_| operator != Operator::Count);
    if operator == Operator::Count {
        since.iter_mut().for_each(|anchor| (anchor.ties, anchor.negated) = (Vec::new(), Vec::new()));
    }
    Question { operator, main, within, since, including_now: random.one_in(3) }
}
