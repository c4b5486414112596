//! The VM and the oracle about one sequence of events, step by step.

use std::collections::BTreeMap;

use hookc_base::PartitionTag;
use hookc_history::{Limits, Outcome, Partition, Secret};
use hookc_oracle::{Json, Keys, Oracle, Record, Verdict};
use hookc_vm::{DecideOptions, Decision, Histories, Module, Scratch, Strategy};

use crate::common::{self, Seen};
use crate::histogram;

/// What both decided: the hooks, and the labels of those whose condition is unknown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) seen: Seen,
    pub(crate) unknown: Vec<String>,
}

/// One event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) text: String,
    /// When it comes, in milliseconds.
    pub(crate) at: u64,
    pub(crate) keys: Keys,
}

/// The histories of the VM and of the oracle.
pub(crate) struct Sessions<'m> {
    module: Option<&'m Module>,
    /// The policy without indexes.
    unindexed: Option<&'m Module>,
    oracle: &'m Oracle,
    limits: Limits,
    secret: Secret,
    partitions: BTreeMap<(usize, String), Partition>,
    records: Vec<Record>,
    /// Events that wait for their outcome: the number of the record of the oracle, and the step in each partition.
    pending: Vec<(usize, Vec<Waiting>)>,
    scratch: Scratch,
}

/// An event that waits in a partition: which one, and its step there.
type Waiting = ((usize, String), u64);

/// One event of so many is traced for the histogram.
const STEP: usize = 5;

/// How many events may wait in a partition.
const WAITING: usize = 40;

const TAGS: [PartitionTag; 4] =
    [PartitionTag::Session, PartitionTag::Agent, PartitionTag::Project, PartitionTag::User];

impl<'m> Sessions<'m> {
    pub(crate) fn new(module: Option<&'m Module>, oracle: &'m Oracle, limits: Limits) -> Self {
        Self {
            module,
            unindexed: None,
            oracle,
            limits,
            secret: Secret::new([7; 32]),
            partitions: BTreeMap::new(),
            records: Vec::new(),
            pending: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// With a module of the policy without indexes, which decides in the same way.
    pub(crate) fn with_unindexed(self, module: &'m Module) -> Self {
        Self { unindexed: Some(module), ..self }
    }

    /// Decides about an event, in the VM if there is a module, and records it with a verdict, or as one that waits for
    /// it. `verdict` gets the answer of the oracle.
    pub(crate) fn step(
        &mut self,
        event: &Event,
        all: bool,
        waits: bool,
        verdict: impl Fn(&Seen) -> Verdict,
    ) -> (Option<Result<Answer, String>>, Result<Answer, String>) {
        // Beyond a limit, a partition settles the oldest event itself.
        while self.partitions.values().any(|partition| partition.waiting() > WAITING) {
            self.settle(0);
        }
        let judged = self.judge(event, all);
        let verdict = judged.as_ref().map_or(Verdict::None, |answer| verdict(&answer.seen));
        let decided = self
            .module
            .map(|module| self.decide(module, event, all, waits.then_some(self.records.len()), verdict));
        if judged.is_ok() {
            self.record(event, verdict, waits);
        }
        (decided, judged)
    }

    fn judge(&self, event: &Event, all: bool) -> Result<Answer, String> {
        let ask = hookc_oracle::DecideOptions {
            all,
            records: &self.records,
            at: event.at,
            keys: Some(&event.keys),
            ..hookc_oracle::DecideOptions::default()
        };
        let decision = self.oracle.decide(event.text.as_bytes(), &ask).map_err(|why| format!("{why:?}"))?;
        let unknown = decision.unknown.clone();
        Ok(Answer { seen: common::judged(decision), unknown })
    }

    fn record(&mut self, event: &Event, verdict: Verdict, waits: bool) {
        let json = Json::parse(event.text.as_bytes()).unwrap();
        let kind = kind(&event.text);
        if self.oracle.observes(&kind) {
            let settled = if waits { usize::MAX } else { 0 };
            let keys = event.keys.clone();
            self.records.push(Record { event: kind, json, at: event.at, keys, verdict, settled });
        }
    }

    fn decide(
        &mut self,
        module: &Module,
        event: &Event,
        all: bool,
        waits: Option<usize>,
        verdict: Verdict,
    ) -> Result<Answer, String> {
        let mut places = Vec::new();
        for (number, key) in event.keys.iter().enumerate() {
            if let Some(key) = key {
                let place = (number, key.clone());
                self.partitions.entry(place.clone()).or_insert_with(|| Partition::new(self.limits));
                places.push(place);
            }
        }
        let mut histories = Histories::new(&self.secret);
        for place in &places {
            histories = histories.with(TAGS[place.0], &self.partitions[place], event.at);
        }
        let mut options = DecideOptions::default().history(&histories);
        options.strategy = all.then_some(Strategy::All);
        if histogram::is_asked() && self.records.len().is_multiple_of(STEP) {
            histogram::count_one(module, &mut self.scratch, &event.text, &options);
        }
        let decided = module.decide(&mut self.scratch, event.text.as_bytes(), &options);
        let decision = decided.map_err(|why| format!("{why:?}"))?;
        let answer = answer(&decision);
        if let Some(unindexed) = self.unindexed {
            let mut scratch = Scratch::default();
            let other = unindexed.decide(&mut scratch, event.text.as_bytes(), &options).unwrap();
            assert_eq!(answer, self::answer(&other), "with an index, and without: {}", event.text);
            for tag in TAGS {
                assert_eq!(
                    decision.record(tag),
                    other.record(tag),
                    "with an index, and without: {}",
                    event.text
                );
            }
        }
        let records: Vec<_> =
            places.into_iter().filter_map(|place| Some((decision.record(TAGS[place.0])?, place))).collect();
        let mut steps = Vec::new();
        for (mut record, place) in records {
            record.outcome = match waits {
                Some(_) => Outcome::Pending { until: u64::MAX },
                None => Outcome::Settled(settled(verdict)),
            };
            let step = self.partitions.get_mut(&place).unwrap().apply(record);
            steps.push((place, step));
        }
        if let Some(number) = waits.filter(|_| self.oracle.observes(&kind(&event.text))) {
            self.pending.push((number, steps));
        }
        Ok(answer)
    }

    /// Other policies decide from now on.
    pub(crate) fn change(&mut self, module: &'m Module, oracle: &'m Oracle) {
        (self.module, self.unindexed, self.oracle) = (Some(module), None, oracle);
    }

    /// How many events are recorded.
    pub(crate) fn recorded(&self) -> usize {
        self.records.len()
    }

    /// The outcome of one of the events that wait: 0 is the one that waits longest.
    pub(crate) fn settle(&mut self, which: usize) {
        let Some(which) = which.checked_rem(self.pending.len()) else { return };
        let (number, steps) = self.pending.remove(which);
        let known = self.records.len();
        let record = &mut self.records[number];
        record.settled = known;
        for (place, step) in steps {
            let partition = self.partitions.get_mut(&place).unwrap();
            assert!(partition.settle(step, settled(record.verdict)), "it waits");
        }
    }

    /// Writes all partitions and reads them back.
    pub(crate) fn restore(&mut self) {
        for partition in self.partitions.values_mut() {
            *partition = Partition::decode(&partition.encode(), self.limits).unwrap().partition;
        }
    }
}

fn answer(decision: &Decision<'_>) -> Answer {
    let unknown = decision.unknown().map(|one| one.hook.label().unwrap_or_default().to_owned()).collect();
    Answer { seen: common::seen(decision), unknown }
}

fn settled(verdict: Verdict) -> hookc_history::Verdict {
    match verdict {
        Verdict::None => hookc_history::Verdict::None,
        Verdict::Allow => hookc_history::Verdict::Allow,
        Verdict::Ask => hookc_history::Verdict::Ask,
        Verdict::Deny => hookc_history::Verdict::Deny,
    }
}

/// The type of an event.
fn kind(text: &str) -> String {
    let event: serde_json::Value = serde_json::from_str(text).unwrap();
    let name = ["hook_event_name", "event_type"].iter().find_map(|name| event[name].as_str());
    name.unwrap_or_default().to_owned()
}
