//! What the virtual machine does: monitors for questions, feeds for events, and reads.

use hookc_history::{
    Bounds, CellId, Decimal, Feed, FeedValue, History, Key, Kind, LastValue, Outcome, Partition, Record,
    Secret, Selection, Shape, Tied, Truth, Value, Verdict, Verdicts, fingerprint,
};

use crate::model::{Answer, Event, Operator, PREVENTABLE, Pattern, Question, Said, Where, Word};

/// What monitors can keep, one of each.
pub(crate) const KINDS: [Kind; 7] = [
    Kind::Recent { capacity: 2 },
    Kind::Differing { conjuncts: 1 },
    Kind::Counter,
    Kind::Total,
    Kind::Sums,
    Kind::Distinct { capacity: 2 },
    Kind::Last { capacity: 2, values: 1 },
];

/// What an event adds to a monitor of a kind.
pub(crate) fn value(kind: Kind, key: Key, number: &str) -> FeedValue {
    match kind {
        Kind::Differing { .. } => FeedValue::Excluded(vec![vec![key]]),
        Kind::Total | Kind::Sums => FeedValue::Numbers(vec![Decimal::parse(number)]),
        Kind::Distinct { .. } => FeedValue::Values(vec![key]),
        Kind::Last { .. } => FeedValue::Kept(vec![Some(Value::new(key, Some(number)))]),
        _ => FeedValue::Time,
    }
}

/// A pattern, its monitor, and what the monitor keeps.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) shape: Shape,
    pub(crate) main: Where,
}

/// A question, and its monitors: that of the pattern first.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) question: Question,
    pub(crate) watches: Vec<Watch>,
}

fn secret() -> Secret {
    Secret::new([3; 32])
}

fn watch(main: &Where, kind: Kind, anchors: Vec<CellId>, retention: Option<u64>) -> Watch {
    let family = match kind {
        Kind::Recent { .. } => "recent".to_owned(),
        Kind::Distinct { .. } => "distinct".to_owned(),
        Kind::Last { .. } => "last".to_owned(),
        kind => format!("{kind:?}"),
    };
    let id = CellId::from_source(format!("{main:?} {family} {anchors:?}").as_bytes());
    Watch { shape: Shape { id, kind, anchors, retention }, main: main.clone() }
}

pub(crate) fn compile(question: &Question) -> Compiled {
    let is_untied = |anchor: &Where| anchor.ties.is_empty() && anchor.negated.is_empty();
    let restarts = question.within.is_none() && question.since.iter().all(is_untied);
    let latest = |main: &Where| match u8::try_from(main.negated.len()).unwrap() {
        0 => Kind::Recent { capacity: 1 },
        conjuncts => Kind::Differing { conjuncts },
    };
    let kind = match question.operator {
        Operator::Formerly => latest(&question.main),
        Operator::AtLeast(n) => Kind::Recent { capacity: u16::try_from(n).unwrap() },
        Operator::Count => Kind::Counter,
        Operator::Sum if restarts => Kind::Total,
        Operator::Sum => Kind::Sums,
        Operator::Distinct(n) => Kind::Distinct { capacity: u16::try_from(n).unwrap() },
        Operator::Last(back) => Kind::Last { capacity: u8::try_from(back).unwrap(), values: 1 },
    };
    let anchors: Vec<Watch> =
        question.since.iter().map(|anchor| watch(anchor, latest(anchor), Vec::new(), None)).collect();
    let restarts_at = match kind {
        Kind::Counter | Kind::Total => anchors.iter().map(|anchor| anchor.shape.id).collect(),
        _ => Vec::new(),
    };
    let mut watches = vec![watch(&question.main, kind, restarts_at, question.within)];
    watches.extend(anchors);
    Compiled { question: question.clone(), watches }
}

/// The monitors of some questions, one for each identity, with the largest capacity and the longest window.
pub(crate) fn shapes(compiled: &[Compiled]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for shape in compiled.iter().flat_map(|compiled| &compiled.watches).map(|watch| &watch.shape) {
        match shapes.iter_mut().find(|other| other.id == shape.id) {
            None => shapes.push(shape.clone()),
            Some(other) => {
                other.kind = larger(other.kind, shape.kind);
                other.retention = other.retention.zip(shape.retention).map(|(a, b)| a.max(b));
            }
        }
    }
    shapes.sort_by_key(|shape| shape.id);
    shapes
}

fn larger(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Recent { capacity: a }, Kind::Recent { capacity: b }) => Kind::Recent { capacity: a.max(b) },
        (Kind::Distinct { capacity: a }, Kind::Distinct { capacity: b }) => {
            Kind::Distinct { capacity: a.max(b) }
        }
        (Kind::Last { capacity: a, values }, Kind::Last { capacity: b, .. }) => {
            Kind::Last { capacity: a.max(b), values }
        }
        (a, _) => a,
    }
}

fn verdict(said: Said) -> Verdict {
    match said {
        Said::Nothing => Verdict::None,
        Said::Allow => Verdict::Allow,
        Said::Ask => Verdict::Ask,
        Said::Deny => Verdict::Deny,
    }
}

fn verdicts(pattern: &Pattern, kind: usize) -> Verdicts {
    match pattern.word {
        Word::Happened if PREVENTABLE[kind] => Verdicts::HAPPENED,
        Word::Happened | Word::Any => Verdicts::ANY,
        Word::Denied => Verdicts::DENIED,
        Word::Asked => Verdicts::ASKED,
        Word::Allowed => Verdicts::ALLOWED,
    }
}

/// The combinations of the results of some fields.
fn keys(fields: &[usize], event: &Event) -> Vec<Key> {
    if fields.is_empty() {
        return vec![Key::UNTIED];
    }
    let mut tuples: Vec<Vec<String>> = vec![Vec::new()];
    for field in fields {
        tuples = (tuples.iter())
            .flat_map(|tuple| {
                let extended = |value: &u8| tuple.iter().cloned().chain([value.to_string()]).collect();
                event.fields[*field].iter().map(extended).collect::<Vec<Vec<String>>>()
            })
            .collect();
    }
    tuples.iter().map(|tuple| secret().key(tuple)).collect()
}

fn sides(ties: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    ties.iter().copied().unzip()
}

fn feed(watch: &Watch, event: &Event) -> Option<Feed> {
    let pattern = &watch.main.pattern;
    let is_true = pattern.field_is.is_none_or(|(field, value)| event.fields[field].contains(&value));
    if !pattern.kinds.contains(&event.kind) || !is_true {
        return None;
    }
    let is_unknown = pattern.unknown_field.is_some_and(|field| event.fields[field].contains(&3));
    let value = match watch.shape.kind {
        Kind::Recent { .. } | Kind::Counter => FeedValue::Time,
        Kind::Differing { .. } => FeedValue::Excluded(
            (watch.main.negated.iter())
                .map(|negated| {
                    let rest =
                        negated.field_is.is_none_or(|(field, value)| event.fields[field].contains(&value));
                    if rest { keys(&sides(&negated.ties).0, event) } else { Vec::new() }
                })
                .collect(),
        ),
        Kind::Total | Kind::Sums => {
            FeedValue::Numbers(event.numbers.iter().map(|number| Decimal::parse(number)).collect())
        }
        Kind::Distinct { .. } => {
            FeedValue::Values(event.fields[0].iter().map(|value| secret().key([value.to_string()])).collect())
        }
        Kind::Last { .. } => {
            let text = format!("{:?}", event.fields[0]);
            let value = Value::new(secret().key([&text]), Some(&text));
            FeedValue::Kept(vec![(!event.fields[0].is_empty()).then_some(value)])
        }
    };
    let is_empty = match &value {
        FeedValue::Numbers(numbers) => numbers.is_empty(),
        FeedValue::Values(values) => values.is_empty(),
        _ => false,
    };
    let verdicts = verdicts(pattern, event.kind);
    let (certain, possible) =
        if is_unknown { (Verdicts::NEVER, verdicts) } else { (verdicts, Verdicts::NEVER) };
    let keys = keys(&sides(&watch.main.ties).0, event);
    (!is_empty).then_some(Feed {
        cell: watch.shape.id,
        shape: None,
        certain,
        possible,
        keys: keys.into(),
        value,
    })
}

pub(crate) fn record(compiled: &[Compiled], event: &Event) -> Record {
    let mut feeds: Vec<Feed> = Vec::new();
    for watch in compiled.iter().flat_map(|compiled| &compiled.watches) {
        if feeds.iter().all(|feed| feed.cell != watch.shape.id) {
            feeds.extend(feed(watch, event));
        }
    }
    let outcome = match event.pending {
        true => Outcome::Pending { until: event.time + 1_000_000_000 },
        false => Outcome::Settled(verdict(event.said)),
    };
    Record { outcome, feeds, ..Record::new(event.time) }
}

/// What the partition does not know about the monitors.
pub(crate) fn introduce(record: &mut Record, shapes: &[Shape], partition: &Partition) {
    let shape = |id: CellId| shapes.iter().find(|shape| shape.id == id);
    record.change = partition.change(fingerprint(shapes), shape);
    for feed in &mut record.feeds {
        feed.shape = shape(feed.cell).filter(|_| !partition.has(feed.cell)).cloned();
    }
}

pub(crate) fn settled(event: &Event) -> Verdict {
    verdict(event.said)
}

/// The keys of the current event for one monitor.
struct Current {
    id: CellId,
    kind: Kind,
    keys: Vec<Key>,
    excluded: Vec<Vec<Key>>,
}

impl Current {
    fn new(watch: &Watch, now: &Event) -> Self {
        Self {
            id: watch.shape.id,
            kind: watch.shape.kind,
            keys: keys(&sides(&watch.main.ties).1, now),
            excluded: watch.main.negated.iter().map(|negated| keys(&sides(&negated.ties).1, now)).collect(),
        }
    }

    fn tied(&self) -> Tied<'_> {
        Tied { id: self.id, kind: self.kind, keys: &self.keys, excluded: &self.excluded }
    }
}

/// Whether the monitor of a pattern is found by its key, so that a hook that waits for it is evaluated.
pub(crate) fn is_found(history: &History<'_>, module: u64, compiled: &Compiled, now: &Event) -> bool {
    let Some(main) = compiled.watches.first().filter(|_| !compiled.question.including_now) else {
        return true;
    };
    let (current, mut is_found) = (Current::new(main, now), false);
    let is_known = history.find(module, &current.keys, &mut |id| is_found |= id == current.id);
    !is_known || is_found
}

/// What the monitors answer. `feeds` is what the current event adds.
pub(crate) fn ask(history: &History<'_>, compiled: &Compiled, now: &Event, feeds: &[Feed]) -> Answer {
    let currents: Vec<Current> = compiled.watches.iter().map(|watch| Current::new(watch, now)).collect();
    let since: Vec<Tied<'_>> = currents[1..].iter().map(Current::tied).collect();
    let question = &compiled.question;
    let selection = Selection {
        pattern: currents[0].tied(),
        within: question.within,
        since: &since,
        now: question.including_now.then_some(feeds),
    };
    let truth = |truth: Truth| match truth {
        Truth::True => Answer::Truth(true),
        Truth::False => Answer::Truth(false),
        Truth::Unknown => Answer::Unknown,
    };
    match question.operator {
        Operator::Formerly => truth(history.formerly(&selection)),
        Operator::AtLeast(n) => truth(history.count(&selection).at_least(n)),
        Operator::Count => Bounds::known(history.count(&selection)).map_or(Answer::Unknown, Answer::Count),
        Operator::Sum => history.sum(&selection).map_or(Answer::Unknown, |sum| Answer::Sum(sum.to_string())),
        Operator::Distinct(n) => truth(history.distinct(&selection).at_least(n)),
        Operator::Last(back) => match history.last(&selection, back, 0) {
            LastValue::Unknown => Answer::Unknown,
            LastValue::Absent => Answer::Values(None),
            LastValue::Known(value) => {
                let values = |text: &str| {
                    text.trim_matches(['[', ']']).split(", ").map(|value| value.parse().unwrap()).collect()
                };
                Answer::Values(Some(values(value.text().unwrap())))
            }
        },
    }
}
