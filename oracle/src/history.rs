//! Conditions over what happened before: the list of recorded events, searched again for every test.

use hookc_schema::tree::{
    Cond, CondKind, EventPattern, Extent, Leaf, OutcomeWord, PartitionKey, Path, PathKind, Query, Recall,
    RecallOperator, Right, Selection, Step, UncomparedSpan,
};

use crate::decide::Ranked;
use crate::decimal::Decimal;
use crate::json::{Json, Number};
use crate::moment::{Before, Bound, Keys, Moment, Verdict};
use crate::repeated::Place;
use crate::truth::{self, Truth, Unknown};

/// Significant digits of a sum.
const DIGITS: usize = 37;

/// The longest string that the history keeps, in bytes: with its quotes, 256.
pub(crate) const KEPT: usize = 254;

/// The event at which a turn begins.
const PROMPT: &str = "UserPromptSubmit";

/// An event of a partition: its time there, its verdict, and how a condition sees it.
struct Past<'a> {
    time: u64,
    verdict: Verdict,
    moment: Moment<'a>,
}

impl Ranked {
    /// Whether an event is in the selection.
    pub(crate) fn formerly(&self, selection: &Selection, moment: &Moment<'_>, bound: &mut Bound) -> Truth {
        let scope = self.scope(selection, moment, bound)?;
        truth::some(scope.iter().map(|past| self.is_meant(&selection.of, past, moment, bound)))
    }

    /// A value of the history.
    pub(crate) fn recall(
        &self,
        recall: &Recall,
        moment: &Moment<'_>,
        bound: &mut Bound,
    ) -> Result<Option<Json>, Unknown> {
        let mut found = Vec::new();
        for past in self.scope(&recall.selection, moment, bound)? {
            if self.is_meant(&recall.selection.of, &past, moment, bound)? {
                found.push(past.moment);
            }
        }
        Ok(match &recall.operator {
            RecallOperator::Count => Some(number(found.len())),
            RecallOperator::Sum(path) => Some(self.sum(path, &found)?),
            RecallOperator::Distinct(paths) => Some(number(self.distinct(paths, &found))),
            RecallOperator::Last { nth, rest } => {
                let back = nth.as_ref().map_or(1, |nth| nth.node);
                let at = usize::try_from(back).ok().and_then(|back| found.len().checked_sub(back));
                let last = at.and_then(|at| found.get(at));
                last.and_then(|last| self.values(&last_path(rest), last).into_iter().next())
            }
        })
    }

    fn sum(&self, path: &Path, found: &[Moment<'_>]) -> Result<Json, Unknown> {
        let mut sum = Decimal::from(0);
        for value in found.iter().flat_map(|moment| self.values(path, moment)) {
            if let Json::Num(Number(number)) = value {
                sum = sum.plus(&number);
                if number.digits() > DIGITS || sum.digits() > DIGITS {
                    return Err(Unknown);
                }
            }
        }
        Ok(Json::Num(Number(sum)))
    }

    fn distinct(&self, paths: &[Path], found: &[Moment<'_>]) -> usize {
        let mut known: Vec<Json> = Vec::new();
        for moment in found {
            let mut tuples = vec![Vec::new()];
            for path in paths {
                let values =
                    self.values(path, moment).into_iter().filter(|value| !matches!(value, Json::Null));
                let values: Vec<Json> = values.collect();
                let with = |tuple: &Vec<Json>| {
                    let tuple = tuple.clone();
                    values.iter().map(move |value| [&tuple[..], std::slice::from_ref(value)].concat())
                };
                tuples = tuples.iter().flat_map(with).collect();
            }
            for tuple in tuples.into_iter().map(Json::Arr) {
                if !known.iter().any(|other| other.same(&tuple)) {
                    known.push(tuple);
                }
            }
        }
        known.len()
    }

    /// The events of the partition after the anchor and within the time, of any type.
    fn scope<'a>(
        &'a self,
        selection: &Selection,
        moment: &'a Moment<'a>,
        bound: &mut Bound,
    ) -> Result<Vec<Past<'a>>, Unknown> {
        let key = selection.per.as_ref().map_or(PartitionKey::Session, |key| key.node);
        let (mut events, now) = self.partition(key, moment)?;
        if selection.including_now.is_some() {
            events.push(Past { time: now, verdict: Verdict::None, moment: Moment { now: None, ..*moment } });
        }
        let within = selection.within.as_ref().map(|extent| extent.node);
        let mut start = 0;
        if let Some(anchor) = &selection.since {
            start = self.last(&events, |past| self.is_meant(anchor, past, moment, bound))?;
        }
        if within == Some(Extent::Turn) {
            let is_prompt = |past: &Past<'_>| past.moment.before.event == PROMPT && self.has_happened(past);
            start = start.max(self.last(&events, |past| Ok(is_prompt(past)))?);
        }
        let earliest = match within {
            Some(Extent::Duration { count, unit }) => {
                now.saturating_sub(count.saturating_mul(unit.milliseconds()))
            }
            Some(Extent::Turn | Extent::Session) | None => 0,
        };
        Ok(events.into_iter().skip(start).filter(|past| past.time >= earliest).collect())
    }

    /// The position of the last event for which a test is true; 0 without one.
    fn last(&self, events: &[Past<'_>], mut test: impl FnMut(&Past<'_>) -> Truth) -> Result<usize, Unknown> {
        for (at, past) in events.iter().enumerate().rev() {
            if test(past)? {
                return Ok(at);
            }
        }
        Ok(0)
    }

    /// The events of a partition before an event, and the time of that event there.
    fn partition<'a>(
        &'a self,
        key: PartitionKey,
        moment: &Moment<'a>,
    ) -> Result<(Vec<Past<'a>>, u64), Unknown> {
        let before = moment.before;
        let place = match key {
            PartitionKey::Session => 0,
            PartitionKey::Agent => 1,
            PartitionKey::Project => 2,
            PartitionKey::User => 3,
        };
        let key = |keys: &'a Keys| keys.get(place).and_then(Option::as_ref);
        let key_of_event = key(before.keys).ok_or(Unknown)?;
        let (mut events, mut time) = (Vec::new(), 0);
        for (at, record) in before.records.iter().enumerate() {
            if key(&record.keys) != Some(key_of_event) {
                continue;
            }
            // The clock of a partition does not begin anew with a hook.
            time = record.at.max(time);
            if at < self.unseen {
                continue;
            }
            let records = before.records.get(..at).unwrap_or_default();
            let earlier = Before { event: &record.event, records, at: record.at, keys: &record.keys };
            let schema = self.vocabulary.event(self.family, &record.event).map(|event| &*event.schema);
            let is_settled = before.records.len() >= record.settled;
            let verdict = if is_settled { record.verdict } else { Verdict::None };
            let moment = Moment { json: &record.json, schema, before: earlier, now: None };
            events.push(Past { time, verdict, moment });
        }
        Ok((events, before.at.max(time)))
    }

    /// Whether a pattern means an event; `moment` is the one that looks back.
    fn is_meant(
        &self,
        pattern: &EventPattern,
        past: &Past<'_>,
        moment: &Moment<'_>,
        bound: &mut Bound,
    ) -> Truth {
        let where_holds = |bound: &mut Bound| match &pattern.condition {
            None => Ok(true),
            Some(cond) => {
                let seen = Moment { now: Some((moment, bound.len())), ..past.moment };
                self.holds(cond, WHERE, &seen, bound)
            }
        };
        if let Some(fact) = self.fact(pattern) {
            let patterns = fact.patterns.iter().map(|one| &one.pattern);
            let is_fact =
                truth::some(patterns.map(|one| self.is_meant(one, past, &past.moment, &mut Vec::new())));
            return truth::every([is_fact, where_holds(bound)].into_iter());
        }
        let is_type = pattern.names.iter().any(|name| self.is_type(&name.node, past.moment.before.event));
        let is_outcome = match pattern.outcome.as_ref().map(|word| word.node) {
            None => self.has_happened(past),
            Some(OutcomeWord::Any) => true,
            Some(OutcomeWord::Denied) => past.verdict == Verdict::Deny,
            Some(OutcomeWord::Asked) => past.verdict == Verdict::Ask,
            Some(OutcomeWord::Allowed) => past.verdict == Verdict::Allow,
        };
        if is_type && is_outcome { where_holds(bound) } else { Ok(false) }
    }

    /// Whether a name in a pattern means an event type.
    pub(crate) fn is_type(&self, name: &str, event: &str) -> bool {
        let is_known = || self.vocabulary.events.contains_key(&(self.family, event.to_owned()));
        name == event || name == "*" && is_known()
    }

    /// An event that was prevented has not happened; one that nobody declares can be prevented.
    fn has_happened(&self, past: &Past<'_>) -> bool {
        let event = self.vocabulary.event(self.family, past.moment.before.event);
        past.verdict != Verdict::Deny || event.is_some_and(|event| !event.prevents)
    }

    /// The fact that a pattern names.
    pub(crate) fn fact(&self, pattern: &EventPattern) -> Option<&hookc_schema::tree::Fact> {
        let [name] = pattern.names.as_slice() else { return None };
        self.facts.iter().find(|fact| fact.name.node == name.node)
    }
}

/// Where the condition of a pattern is.
pub(crate) const WHERE: Place = Place { allows: false, negated: false };

/// The pattern of the anchor of a turn.
pub(crate) fn prompt() -> EventPattern {
    let span = hookc_schema::Span::default();
    let names = vec![hookc_schema::Spanned::new(PROMPT.to_owned(), span)];
    EventPattern { span: UncomparedSpan(span), outcome: None, names, condition: None }
}

fn number(count: usize) -> Json {
    Json::Num(Number(Decimal::from(count)))
}

/// The path of `last(...)` from the past event.
pub(crate) fn last_path(rest: &Query) -> Path {
    let kind = match rest.singular() {
        Some(steps) if matches!(steps.first(), Some(Step::Name(_))) => PathKind::Short(steps.into()),
        _ => PathKind::Query(rest.clone()),
    };
    Path { span: hookc_schema::Span::default(), text: "".into(), kind }
}

/// The selections in a condition, without those inside of them, each with the names of the quantifiers around it.
pub(crate) fn selections<'c>(
    cond: &'c Cond,
    names: &mut Vec<&'c str>,
    found: &mut Vec<(&'c Selection, Option<&'c RecallOperator>, Vec<&'c str>)>,
) {
    let mut recalls = |path: &'c Path, names: &[&'c str]| {
        if let PathKind::Recall(recall) = &path.kind {
            found.push((&recall.selection, Some(&recall.operator), names.to_vec()));
        }
    };
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => {}
        CondKind::All(conds) | CondKind::Any(conds) => {
            conds.iter().for_each(|cond| selections(cond, names, found));
        }
        CondKind::Not(cond) => selections(cond, names, found),
        CondKind::Leaf(leaf) => paths(leaf).for_each(|path| recalls(path, names)),
        CondKind::Formerly(selection) => found.push((selection, None, names.clone())),
        CondKind::Quantified(inner) => {
            recalls(&inner.path, names);
            names.push(&inner.name.node);
            selections(&inner.cond, names, found);
            names.pop();
        }
    }
}

/// The paths of a leaf.
pub(crate) fn paths(leaf: &Leaf) -> impl Iterator<Item = &Path> {
    let right = match &leaf.right {
        Right::Path(path) => Some(path),
        Right::None | Right::Value(_) => None,
    };
    std::iter::once(&leaf.path).chain(right)
}
