//! The decision about an event.

use std::fmt;

use hookc_base::decision::{DecisionWriter, Detail, HookFields};
use hookc_base::{Family, Layer, Mode, OnError, OnFailure, PartitionTag, Strategy};
use hookc_history::Record;
use serde_json::Value;

use super::machine::because;
use super::past::Memory;
use super::search::stated;
use crate::event::{Item, Origin, ParsedEvent, Slots};
use crate::history::{Histories, Part, Unknown};
use crate::module::{Module, row};
use crate::render::{self, RenderError};
use crate::rows::{Event, Hook, Template};
use crate::view::EventView;

/// The hooks that matched an event. An empty list is no opinion, which allows nothing.
///
/// It borrows from the module, the event and the [`Scratch`](crate::Scratch), and is free: actions
/// are rendered when they are asked for.
///
/// ```
/// use hookc_vm::{DecideOptions, Module, Scratch, Strategy};
///
/// # let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
/// let (mut scratch, options) = (Scratch::new(), DecideOptions::default());
/// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// let decision = module.decide(&mut scratch, event, &options)?;
/// assert_eq!((decision.event(), decision.strategy()), ("PreToolUse", Strategy::All));
/// assert_eq!(decision.hooks().map(|hook| hook.kind()).collect::<Vec<_>>(), ["ask"]);
///
/// let decision = module.decide(&mut scratch, br#"{"event_type": "Stop"}"#, &options)?;
/// assert!(decision.is_empty() && decision.family().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    pub(super) module: &'a Module,
    pub(super) slots: &'a Slots,
    pub(super) form: Form<'a>,
    /// The event's type, unless a text states it.
    pub(super) name: Option<&'a str>,
    /// The row of the type, if the module has hooks for it.
    pub(super) event: Option<&'a Event>,
    pub(super) strategy: Strategy,
    pub(super) hits: &'a [u32],
    pub(super) reported: &'a [u32],
    pub(super) past: Recollection<'a>,
    /// Whether hooks that have failed are listed.
    pub(super) opinion: bool,
}

/// What was read of the history, and what the event adds to it.
#[derive(Clone, Copy)]
pub(super) struct Recollection<'a> {
    pub(super) memory: &'a Memory,
    pub(super) histories: Option<&'a Histories<'a>>,
}

/// A hook that matched.
///
/// ```
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// # let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
/// # let mut scratch = Scratch::new();
/// # let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// # let decision = module.decide(&mut scratch, event, &DecideOptions::default())?;
/// for hook in decision.hooks() {
///     // A stripped module has no labels and locations.
///     assert_eq!((hook.rank(), hook.label()), (1, Some("ask_before_rm")));
///     assert_eq!(hook.location(), Some(("policy.yaml", 6, 5)));
///     let mut json = String::new();
///     hook.render(&mut json)?;
///     assert_eq!(json, r#"{"type":"ask","reason":"Run `rm a`?"}"#);
/// }
/// # assert_eq!(decision.hooks().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct MatchedHook<'a> {
    pub(super) module: &'a Module,
    pub(super) slots: &'a Slots,
    pub(super) form: Form<'a>,
    /// Row of the event type's first hook.
    pub(super) first: u32,
    pub(super) rank: u32,
    pub(super) past: Option<Recollection<'a>>,
}

/// A hook whose condition is unknown, because the history is. It has failed, as an action fails: its failure mode applies.
#[derive(Clone, Copy, Debug)]
pub struct UnknownHook<'a> {
    /// The hook.
    pub hook: MatchedHook<'a>,
    /// Why its condition is unknown.
    pub cause: Unknown<'a>,
}

/// Says what made the condition of a hook true that has matched, each time with the same work.
fn explained<'v>(
    view: &'v EventView<'v>,
    histories: Option<&'v Histories<'v>>,
) -> impl FnMut(&Template) -> String + 'v {
    let mut known: Option<(Template, String)> = None;
    move |node| match &known {
        Some((template, text)) if template == node => text.clone(),
        _ => {
            let text = because(view, histories, node);
            known = Some((*node, text.clone()));
            text
        }
    }
}

/// The form of an event.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    Text(&'a str),
    Value(&'a Value),
}

impl<'a> Decision<'a> {
    /// The event's type.
    #[must_use]
    pub fn event(&self) -> &'a str {
        let stated = || match self.form {
            Form::Text(text) => stated(self.slots, text),
            Form::Value(_) => None,
        };
        self.name.or_else(stated).unwrap_or_default()
    }

    /// Its vocabulary; `None` if the module has no hooks for it.
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        self.event.and_then(|event| Family::from_number(event.family))
    }

    /// How its hooks combine: the strategy of the options, or of the event's type.
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Whether no hook decides: no opinion.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// The hooks that decide, by rank: at most one under [`Strategy::First`].
    pub fn hooks(&self) -> impl ExactSizeIterator<Item = MatchedHook<'a>> + use<'a> {
        self.fired(self.hits)
    }

    /// The warn and shadow hooks that matched, by rank: under
    /// [`Strategy::First`] those before the deciding one.
    pub fn reported(&self) -> impl ExactSizeIterator<Item = MatchedHook<'a>> + use<'a> {
        self.fired(self.reported)
    }

    /// The hooks whose condition is unknown, by rank: under [`Strategy::First`] those before the deciding one.
    pub fn unknown(&self) -> impl ExactSizeIterator<Item = UnknownHook<'a>> + use<'a> {
        let Self { module, past, .. } = *self;
        let is_read = self.opinion && !module.tables_in_place().cells.is_empty();
        let hooks = if is_read { past.memory.hooks.as_slice() } else { &[] };
        let decision = *self;
        hooks.iter().map(move |(rank, cause)| UnknownHook {
            hook: decision.hook(*rank),
            cause: Unknown { cause: *cause, histories: past.histories },
        })
    }

    /// What the event adds to the history of a partition: apply it to that, or store it. `None` if events of this type
    /// are not recorded there, or the decision has no history. Its outcome is that no hook had a verdict: set another.
    #[must_use]
    pub fn record(&self, key: PartitionTag) -> Option<Record> {
        let Part::Known { partition, time } = self.past.histories?.part(key) else { return None };
        let history = self.module.history();
        let row = self.event.and_then(|event| self.module.row_of(event))?;
        if !history.records(row, key) {
            return None;
        }
        let recorded = self.past.memory.recorded.iter();
        let of_partition = recorded.filter(|(cell, _)| history.partition(*cell) == Some(key));
        let feeds = of_partition.map(|(cell, feed)| {
            let shape = history.shape(*cell).filter(|shape| !partition.has(shape.id));
            feed.clone().with_shape(shape.cloned())
        });
        let change = partition.change(history.fingerprint(key), |id| history.shape_of(id, key));
        Some(Record { change, feeds: feeds.collect(), ..Record::new(time) })
    }

    /// Removes the hooks: no opinion.
    #[must_use]
    pub fn without_hooks(self) -> Self {
        Self { hits: &[], reported: &[], opinion: false, ..self }
    }

    /// Appends the decision to `out` as compact JSON, with the actions of all its hooks: the form that
    /// `hookc schema decision` describes, with all members that are known.
    ///
    /// Equal decisions give equal bytes, and numbers in actions are exact.
    ///
    /// ```
    /// use hookc_vm::{DecideOptions, Module, Scratch};
    ///
    /// # let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// let mut scratch = Scratch::new();
    /// let mut json = String::new();
    /// module.decide(&mut scratch, br#"{"event_type": "Stop"}"#, &DecideOptions::default())?.write_json(&mut json);
    /// assert_eq!(json, r#"{"event":"Stop","decision":[],"strategy":"first"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_json(&self, out: &mut String) {
        self.write_with(Detail::Full, out);
    }

    /// As [`write_json`](Self::write_json), without `family`, `strategy`, `layer`, and `rank` next to an id: the
    /// line of `hookc eval`.
    pub fn write_short_json(&self, out: &mut String) {
        self.write_with(Detail::Short, out);
    }

    fn write_with(&self, detail: Detail, out: &mut String) {
        let mut writer = DecisionWriter::start(self.event(), detail, out);
        self.hooks().for_each(|hook| hook.write_json(None, &mut writer));
        writer.reported();
        self.reported().for_each(|hook| hook.write_json(None, &mut writer));
        writer.unknown();
        self.unknown().for_each(|unknown| {
            unknown.hook.write_json(Some(&unknown.cause.to_string()), &mut writer);
        });
        writer.end(self.family(), self.strategy);
    }

    fn fired(&self, ranks: &'a [u32]) -> impl ExactSizeIterator<Item = MatchedHook<'a>> + use<'a> {
        let decision = *self;
        ranks.iter().map(move |rank| decision.hook(*rank))
    }

    fn hook(&self, rank: u32) -> MatchedHook<'a> {
        let Self { module, slots, form, past, .. } = *self;
        let first = self.event.map_or(0, |event| event.hooks.start.get());
        MatchedHook { module, slots, form, first, rank, past: Some(past) }
    }
}

impl<'a> MatchedHook<'a> {
    fn index(&self) -> u32 {
        self.first.saturating_add(self.rank)
    }

    fn hook(&self) -> Option<Hook> {
        row(self.module.tables_in_place().hooks, self.index())
    }

    /// Its position among the hooks of its event type, from 0.
    #[must_use]
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// Whether it decides, warns, or is only logged.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.hook().and_then(|hook| hook.mode()).unwrap_or(Mode::Enforce)
    }

    /// Its id or label; not in a stripped module.
    #[must_use]
    pub fn label(&self) -> Option<&'a str> {
        let tables = self.module.tables_in_place();
        row(tables.labels, self.index()).map(|label| tables.name(label.name))
    }

    /// Its layer; not in a stripped module.
    #[must_use]
    pub fn layer(&self) -> Option<Layer> {
        let layer = row(self.module.tables_in_place().labels, self.index())?.layer.get();
        Layer::from_number(u8::try_from(layer).ok()?)
    }

    /// File, line and column (from 1, in characters) of its source; not in a
    /// stripped module.
    #[must_use]
    pub fn location(&self) -> Option<(&'a str, u32, u32)> {
        let tables = self.module.tables_in_place();
        let place = row(tables.locations, self.index())?;
        Some((tables.name(place.file), place.line.get(), place.column.get()))
    }

    /// How an error of its action is handled, if declared.
    #[must_use]
    pub fn on_error(&self) -> Option<OnError> {
        self.hook()?.on_error()
    }

    /// Its failure mode, if declared.
    #[must_use]
    pub fn on_failure(&self) -> Option<OnFailure> {
        self.hook()?.on_failure()
    }

    /// The kind of its action.
    #[must_use]
    pub fn kind(&self) -> &'a str {
        let tables = self.module.tables_in_place();
        let action = self.hook().and_then(|hook| row(tables.actions, hook.action.get()));
        action.map_or("", |action| tables.kind_of(&action))
    }

    /// Appends its action to `out` as compact JSON: `type` first, then the
    /// parameters in key order, templates filled in from the event.
    ///
    /// # Errors
    /// A rendered parameter is invalid, or the action is too large; `out` is unchanged. The action
    /// failed, but the decision remains valid.
    pub fn render(&self, out: &mut String) -> Result<(), RenderError> {
        self.render_with(false, out)
    }

    /// As [`render`](Self::render), with U+0000 around text of the event that is next to the
    /// author's text, and after each `$` in text of the event: a `${NAME}` without U+0000 is the
    /// author's.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn render_marked(&self, out: &mut String) -> Result<(), RenderError> {
        self.render_with(true, out)
    }

    fn write_json(&self, cause: Option<&str>, writer: &mut DecisionWriter<'_>) {
        let mut action = String::new();
        let rendered = self.render(&mut action);
        writer.hook(&HookFields {
            id: self.label(),
            rank: self.rank,
            mode: self.mode(),
            layer: self.layer(),
            location: self.location(),
            on_error: self.on_error(),
            on_failure: self.on_failure(),
            kind: self.kind(),
            action: rendered.as_ref().map(|()| action.as_str()).map_err(|error| error as _),
            cause,
        });
    }

    fn render_with(&self, marked: bool, out: &mut String) -> Result<(), RenderError> {
        let Self { module, slots, form, past, .. } = *self;
        let Some(hook) = self.hook() else { return Ok(()) };
        let histories = past.and_then(|past| past.histories);
        let values = past.map(|past| &past.memory.values);
        let tables = module.tables_in_place();
        let recalled = |slot: u32, see: &mut dyn FnMut(Item<'_>)| {
            let value = values.and_then(|values| values.get(&slot));
            value.and_then(|value| value.with(see)).unwrap_or_else(|| see(Item::Absent));
        };
        match form {
            Form::Text(text) => {
                let view = EventView { module, tables, slots, event: Origin::Text(text) };
                render::action(
                    &view,
                    hook.action.get(),
                    (marked, &mut explained(&view, histories), &recalled),
                    out,
                )
            }
            Form::Value(value) => {
                let start = out.len();
                let event = ParsedEvent::new(value, tables.trie(), module.trie_index(), module.limits())?;
                let view = EventView { module, tables, slots, event: Origin::Parsed(&event) };
                render::action(
                    &view,
                    hook.action.get(),
                    (marked, &mut explained(&view, histories), &recalled),
                    out,
                )?;
                // A value that exceeds a limit was rendered as absent.
                event.check().inspect_err(|_| out.truncate(start))?;
                Ok(())
            }
        }
    }
}

impl fmt::Debug for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Decision");
        out.field("event", &self.event()).field("family", &self.family()).field("strategy", &self.strategy);
        out.field("hooks", &self.hooks().collect::<Vec<_>>());
        out.field("reported", &self.reported().collect::<Vec<_>>()).finish()
    }
}

impl fmt::Debug for MatchedHook<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("MatchedHook");
        out.field("rank", &self.rank).field("mode", &self.mode()).field("label", &self.label());
        out.field("layer", &self.layer()).field("place", &self.location());
        out.field("on_error", &self.on_error()).field("on_failure", &self.on_failure());
        out.field("kind", &self.kind()).finish_non_exhaustive()
    }
}
