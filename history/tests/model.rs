//! The semantics of history a second time, in the simplest way: a list of events, and a scan of it for every question.

use std::collections::BTreeSet;

/// What hookc said about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Nothing,
    Allow,
    Ask,
    Deny,
}

/// An event: its type, the results of its paths, numbers at another path, and what was said.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: usize,
    pub(crate) fields: Vec<Vec<u8>>,
    pub(crate) numbers: Vec<&'static str>,
    pub(crate) time: u64,
    pub(crate) said: Said,
    pub(crate) pending: bool,
}

/// The types of events that can be prevented.
pub(crate) const PREVENTABLE: [bool; 3] = [true, true, false];

/// An outcome word, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Happened,
    Denied,
    Asked,
    Allowed,
    Any,
}

/// Event types, an outcome, a condition on a field; and a field whose value 3 makes the condition unknown.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) word: Word,
    pub(crate) kinds: Vec<usize>,
    pub(crate) field_is: Option<(usize, u8)>,
    pub(crate) unknown_field: Option<usize>,
}

/// `PAST == now.CURRENT`, by fields.
pub(crate) type Tie = (usize, usize);

/// `not (TIES and FIELD == VALUE)`.
#[derive(Clone, Debug)]
pub(crate) struct Negated {
    pub(crate) ties: Vec<Tie>,
    pub(crate) field_is: Option<(usize, u8)>,
}

/// Which events a monitor has seen, by their positions: those from the first on, but for some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    pub(crate) first: usize,
    pub(crate) missed: Vec<std::ops::Range<usize>>,
}

/// A pattern with what it compares with the current event.
#[derive(Clone, Debug)]
pub(crate) struct Where {
    pub(crate) pattern: Pattern,
    pub(crate) ties: Vec<Tie>,
    pub(crate) negated: Vec<Negated>,
    pub(crate) watched: Watched,
}

/// What is asked about the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Formerly,
    AtLeast(u64),
    Count,
    Sum,
    Distinct(u64),
    Last(usize),
}

/// A question.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) operator: Operator,
    pub(crate) main: Where,
    pub(crate) within: Option<u64>,
    pub(crate) since: Vec<Where>,
    pub(crate) including_now: bool,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Truth(bool),
    Count(u64),
    Sum(String),
    /// The values of field 0 of one event.
    Values(Option<Vec<u8>>),
    Unknown,
}

fn matches(pattern: &Pattern, event: &Event, unknown_is: bool) -> bool {
    // A pending event has happened with no verdict.
    let said = if event.pending { Said::Nothing } else { event.said };
    let denied = said == Said::Deny;
    let outcome = match pattern.word {
        Word::Happened => !(denied && PREVENTABLE[event.kind]),
        Word::Denied => denied,
        Word::Asked => said == Said::Ask,
        Word::Allowed => said == Said::Allow,
        Word::Any => true,
    };
    let condition = pattern.field_is.is_none_or(|(field, value)| event.fields[field].contains(&value));
    let is_unknown = pattern.unknown_field.is_some_and(|field| event.fields[field].contains(&3));
    outcome && pattern.kinds.contains(&event.kind) && condition && (!is_unknown || unknown_is)
}

fn is_tied(ties: &[Tie], past: &Event, now: &Event) -> bool {
    ties.iter()
        .all(|(field, current)| past.fields[*field].iter().any(|value| now.fields[*current].contains(value)))
}

fn selects(main: &Where, index: usize, past: &Event, now: &Event, unknowns: Unknowns<'_>) -> bool {
    let is_missed = main.watched.missed.iter().any(|missed| missed.contains(&index));
    if index < main.watched.first || (is_missed && !unknowns(index)) {
        return false;
    }
    let unknown_is = unknowns(index);
    let excludes = |negated: &Negated| {
        let rest = negated.field_is.is_none_or(|(field, value)| past.fields[field].contains(&value));
        rest && is_tied(&negated.ties, past, now)
    };
    matches(&main.pattern, past, unknown_is)
        && is_tied(&main.ties, past, now)
        && !main.negated.iter().any(excludes)
}

/// Whether the event, by its position, satisfies the patterns that its unknown conditions leave open.
pub(crate) type Unknowns<'a> = &'a dyn Fn(usize) -> bool;

/// The answer for an event that is not in the list, by looking at all events.
pub(crate) fn answer(events: &[Event], now: &Event, question: &Question, unknowns: Unknowns<'_>) -> Answer {
    let current = Event { said: Said::Nothing, ..now.clone() };
    let events: Vec<&Event> = events.iter().chain(question.including_now.then_some(&current)).collect();
    let mut start = 0;
    for anchor in &question.since {
        for (index, event) in events.iter().enumerate() {
            if selects(anchor, index, event, now, unknowns) {
                start = start.max(index);
            }
        }
    }
    let selection: Vec<&Event> = (events.iter().enumerate().skip(start))
        .filter(|(_, event)| question.within.is_none_or(|within| now.time - event.time <= within))
        .filter(|(index, event)| selects(&question.main, *index, event, now, unknowns))
        .map(|(_, event)| *event)
        .collect();
    let count = u64::try_from(selection.len()).unwrap();
    match question.operator {
        Operator::Formerly => Answer::Truth(count > 0),
        Operator::AtLeast(n) => Answer::Truth(count >= n),
        Operator::Count => Answer::Count(count),
        Operator::Sum => sum(&selection),
        Operator::Distinct(n) => {
            let values: BTreeSet<u8> = selection.iter().flat_map(|event| event.fields[0].clone()).collect();
            Answer::Truth(u64::try_from(values.len()).unwrap() >= n)
        }
        Operator::Last(back) => {
            let event = selection.iter().rev().nth(back - 1);
            Answer::Values(event.map(|event| event.fields[0].clone()).filter(|values| !values.is_empty()))
        }
    }
}

/// Numbers are `i` and `i.5`, or have more than 37 digits: twice their value is an integer.
fn sum(selection: &[&Event]) -> Answer {
    let mut twice = 0_i64;
    for number in selection.iter().flat_map(|event| &event.numbers) {
        if number.len() > 37 {
            return Answer::Unknown;
        }
        twice += (number.parse::<f64>().unwrap() * 2.0) as i64;
    }
    let half = twice % 2 != 0;
    let sign = if twice < 0 { "-" } else { "" };
    Answer::Sum(format!("{sign}{}{}", (twice / 2).abs(), if half { ".5" } else { "" }))
}
