//! The decisions about the rows of a batch.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, ListBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::ArrowError;
use hookc::{DecideOptions, Family, Module, Scratch};

use super::column::{Columns, Texts};
use crate::engine::with_scratch;

/// What decides.
pub(super) struct Rules {
    pub(super) module: Module,
    pub(super) against: Option<Module>,
    pub(super) event_type: Option<String>,
    pub(super) family: Option<Family>,
}

impl Rules {
    /// The output of a batch, row by row.
    pub(super) fn decide(&self, columns: &Columns, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let events = batch.column(columns.event);
        let texts = Texts::from_array(events)?;
        let options = DecideOptions::default().event(self.event_type.as_deref()).family(self.family);
        let mut output = Output::new(self.against.is_some());
        let (mut new, mut old) = (Answer::default(), Answer::default());
        with_scratch(|scratch| {
            for row in 0..batch.num_rows() {
                let event = if events.is_null(row) { None } else { texts.get(row) };
                new.read(&self.module, scratch, event, &options);
                if let Some(against) = &self.against {
                    old.read(against, scratch, event, &options);
                }
                output.push(&new, self.against.is_some().then_some(&old));
            }
        });
        let kept = columns.keep.iter().map(|at| Arc::clone(batch.column(*at)));
        RecordBatch::try_new(Arc::clone(&columns.schema), kept.chain(output.finish()).collect())
    }
}

/// The decision about one row. Its buffers are used again for the next one.
#[derive(Default)]
struct Answer {
    hooks: Strings,
    actions: Strings,
    /// Why there is no decision.
    undecided: bool,
    error: String,
}

impl Answer {
    fn read(
        &mut self,
        module: &Module,
        scratch: &mut Scratch,
        event: Option<&[u8]>,
        options: &DecideOptions<'_>,
    ) {
        self.hooks.clear();
        self.actions.clear();
        self.error.clear();
        self.undecided = false;
        let Some(event) = event else {
            self.undecided = true;
            self.error.push_str("the event is null");
            return;
        };
        match module.decide(scratch, event, options) {
            Ok(decision) => {
                for hook in decision.hooks() {
                    let start = self.hooks.text.len();
                    match hook.label() {
                        Some(label) => self.hooks.text.push_str(label),
                        None => drop(write!(self.hooks.text, "rank {}", hook.rank())),
                    }
                    self.hooks.end(true);
                    let rendered = hook.render(&mut self.actions.text);
                    self.actions.end(rendered.is_ok());
                    if let Err(error) = rendered {
                        let label = self.hooks.text.get(start..).unwrap_or_default();
                        let between = if self.error.is_empty() { "" } else { "; " };
                        let _infallible = write!(self.error, "{between}hook {label}: {error}");
                    }
                }
            }
            Err(error) => {
                self.undecided = true;
                let _infallible = write!(self.error, "{error}");
            }
        }
    }

    /// Whether a host would do something else: other actions, or an error on one side.
    fn differs(&self, other: &Self) -> bool {
        self.undecided != other.undecided || self.actions != other.actions
    }
}

/// Strings in one buffer.
#[derive(Default, PartialEq)]
struct Strings {
    text: String,
    /// The end of each, and whether it is there: otherwise it is null.
    ends: Vec<(usize, bool)>,
}

impl Strings {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn end(&mut self, valid: bool) {
        self.ends.push((self.text.len(), valid));
    }

    fn append_to(&self, list: &mut ListBuilder<StringBuilder>, valid: bool) {
        let mut start = 0;
        for (end, valid) in &self.ends {
            list.values().append_option(self.text.get(start..*end).filter(|_| *valid));
            start = *end;
        }
        list.append(valid);
    }
}

/// The columns of the output.
struct Output {
    hook: ListBuilder<StringBuilder>,
    action: ListBuilder<StringBuilder>,
    error: StringBuilder,
    two: Option<(BooleanBuilder, ListBuilder<StringBuilder>)>,
}

impl Output {
    fn new(two: bool) -> Self {
        let list = || ListBuilder::new(StringBuilder::new());
        let two = two.then(|| (BooleanBuilder::new(), list()));
        Self { hook: list(), action: list(), error: StringBuilder::new(), two }
    }

    fn push(&mut self, new: &Answer, old: Option<&Answer>) {
        new.hooks.append_to(&mut self.hook, !new.undecided);
        new.actions.append_to(&mut self.action, !new.undecided);
        self.error.append_option(Some(new.error.as_str()).filter(|error| !error.is_empty()));
        if let (Some((changed, before)), Some(old)) = (&mut self.two, old) {
            let differs = new.differs(old);
            changed.append_value(differs);
            if differs && !old.undecided {
                old.actions.append_to(before, true);
            } else {
                before.append(false);
            }
        }
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let mut all: Vec<ArrayRef> =
            vec![Arc::new(self.hook.finish()), Arc::new(self.action.finish()), Arc::new(self.error.finish())];
        if let Some((changed, before)) = &mut self.two {
            all.extend([Arc::new(changed.finish()) as ArrayRef, Arc::new(before.finish())]);
        }
        all
    }
}
