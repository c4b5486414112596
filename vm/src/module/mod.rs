//! The module: what the compiler writes and the VM reads.
//!
//! `Image` (tables as vectors) `→ encode → bytes → decode → verify →` [`Module`]. Only a [`Module`]
//! can be evaluated, and the verifier is the only way to create one. A module that is *opened* is verified in
//! parts: what its event types share at once, and each type before the first decision about it.

mod decode;
mod effects;
mod encode;
mod error;
mod history;
mod image;
mod members;
mod names;
mod patterns;
mod pending;
mod tables;
mod types;
mod verify;

use std::fmt;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;
use zerocopy::FromBytes;

use hookc_base::{Family, Strategy};
use hookc_shell::Members;
use hookc_shell::programs::Programs;

pub(crate) use effects::Effects;
pub use error::LoadError;
pub(crate) use history::{History, recalled_slots};
pub use image::Image;
pub(crate) use patterns::Patterns;
use pending::Pending;
pub use tables::Tables;
pub(crate) use tables::row;
pub(crate) use types::EventTypes;
use verify::Parts;

use crate::event::TrieIndex;
use crate::limits::Limits;
use crate::rows::{Event, Header, NONE, U32};

/// A verified module: immutable, and usable from any thread. A clone shares it and costs a counter.
///
/// ```
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// // `hookc compile policy.yaml -o policy.hookc` wrote the file.
/// let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
///
/// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}"#;
/// let mut scratch = Scratch::new();
/// let decision = module.decide(&mut scratch, event, &DecideOptions::default())?;
/// let mut action = String::new();
/// for hook in decision.hooks() {
///     hook.render(&mut action)?;
/// }
/// assert!(action.starts_with(r#"{"type":"deny","reason":"No `rm -rf /` here."}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Module {
    inner: Arc<Inner>,
}

self_cell! {
    /// The bytes of a module with its tables, which are slices of them: made once, so that a decision does
    /// not make them.
    struct Loaded {
        owner: Vec<u8>,
        #[covariant]
        dependent: Tables,
    }
}

struct Inner {
    loaded: Loaded,
    limits: Limits,
    /// The trie nodes of the type paths, ascending.
    type_nodes: Vec<U32>,
    types: EventTypes,
    patterns: Patterns,
    effects: Effects,
    history: OnceLock<History>,
    trie_index: TrieIndex,
    /// By view, the members of commands that are read; empty if event types are pending.
    view_members: Vec<Members>,
    /// If the module was opened: its event types, as far as they are verified.
    pending: Option<Pending>,
}

/// An event type that a module has hooks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventType<'m> {
    /// Its vocabulary.
    pub family: Family,
    /// Its name.
    pub name: &'m str,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// Hooks in all.
    pub hooks: usize,
}

/// The bytes of a module with its tables, which are not verified.
fn decoded(bytes: Vec<u8>) -> Result<Loaded, LoadError> {
    let layout = decode::decode(&bytes)?;
    Ok(Loaded::new(bytes, |bytes| Tables::new(bytes, &layout)))
}

impl Module {
    /// Decodes and verifies untrusted bytes, such as `include_bytes!("policy.hookc")`; the tables
    /// are used in place. Costs one pass for the hash and one over the rows, and a copy unless the
    /// bytes are a `Vec`.
    ///
    /// # Errors
    /// The problem and its location. The hash is not a signature: it detects accidental changes, so
    /// everything is verified in any case.
    ///
    /// ```
    /// use hookc_vm::{LoadError, Module};
    ///
    /// let error = Module::load(*b"hooks: []").unwrap_err();
    /// assert_eq!(error, LoadError::NotAModule);
    /// ```
    pub fn load(bytes: impl Into<Vec<u8>>) -> Result<Self, LoadError> {
        Self::load_with(bytes, Limits::default())
    }

    /// Like [`Module::load`], with lower limits for all decisions.
    ///
    /// # Errors
    /// As [`Module::load`].
    pub fn load_with(bytes: impl Into<Vec<u8>>, limits: Limits) -> Result<Self, LoadError> {
        let loaded = decoded(bytes.into())?;
        let (tables, length) = (loaded.borrow_dependent(), loaded.borrow_owner().len());
        let type_nodes = verify::verify(tables, length)?;
        let view_members = members::of_views(tables, &|_| true, &|_| true);
        let module = Self::new(loaded, limits, type_nodes, view_members, None)?;
        module.inner.effects.compile(module.tables_in_place())?;
        Ok(module)
    }

    /// Decodes untrusted bytes for a few decisions: verifies what the event types share, and each event
    /// type before the first decision about it. A process that decides about one event saves most of the
    /// verification.
    ///
    /// Use [`Module::load`] to know before the first decision whether the module is valid, as a program
    /// must that replaces a module by a new one. A module that loads gives the same decisions in both ways.
    ///
    /// # Errors
    /// As [`Module::load`]. If the part of an event type is invalid, its decisions fail with
    /// [`DecideError::Module`](crate::DecideError::Module), and so do those of all types that were not
    /// verified before; types that were are not affected.
    ///
    /// ```
    /// use hookc_vm::{DecideOptions, Module, Scratch};
    ///
    /// let module = Module::open(include_bytes!("../../examples/policy.hookc"))?;
    /// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
    /// let mut scratch = Scratch::new();
    /// let decision = module.decide(&mut scratch, event, &DecideOptions::default())?;
    /// assert_eq!(decision.hooks().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(bytes: impl Into<Vec<u8>>) -> Result<Self, LoadError> {
        Self::open_with(bytes, Limits::default())
    }

    /// Like [`Module::open`], with lower limits for all decisions.
    ///
    /// # Errors
    /// As [`Module::open`].
    pub fn open_with(bytes: impl Into<Vec<u8>>, limits: Limits) -> Result<Self, LoadError> {
        let loaded = decoded(bytes.into())?;
        let (tables, length) = (loaded.borrow_dependent(), loaded.borrow_owner().len());
        let (parts, type_nodes) = Parts::open(tables, length)?;
        let pending = Pending::new(parts, tables.events.len());
        Self::new(loaded, limits, type_nodes, Vec::new(), Some(pending))
    }

    fn new(
        loaded: Loaded,
        limits: Limits,
        type_nodes: Vec<U32>,
        view_members: Vec<Members>,
        pending: Option<Pending>,
    ) -> Result<Self, LoadError> {
        let tables = loaded.borrow_dependent();
        let types = EventTypes::new(tables);
        let patterns = Patterns::new(tables.patterns.len());
        let effects = Effects::new(tables)?;
        let trie_index = TrieIndex::new(&tables.trie());
        let limits = limits.clamped();
        let inner = Inner {
            loaded,
            limits,
            type_nodes,
            types,
            patterns,
            effects,
            history: OnceLock::new(),
            trie_index,
            view_members,
            pending,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Verifies everything that an [opened](Module::open) module has not verified yet.
    ///
    /// # Errors
    /// As [`Module::load`].
    pub fn verify(&self) -> Result<(), LoadError> {
        match &self.inner.pending {
            Some(pending) => {
                pending.all(self.tables_in_place(), self.bytes().len())?;
                self.inner.effects.compile(self.tables_in_place())
            }
            None => Ok(()),
        }
    }

    /// The tables, for listings and tools. Those of an [opened](Module::open) module are
    /// [verified](Module::verify) first.
    ///
    /// # Errors
    /// The module was opened, and is not valid.
    pub fn tables(&self) -> Result<Tables<'_>, LoadError> {
        self.verify().map(|()| *self.tables_in_place())
    }

    /// Whether a condition or a template of its hooks can read the member of an event at the end of `path`.
    ///
    /// ```
    /// # let module = hookc_vm::Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// assert!(module.reads(&["tool_input", "command"]) && !module.reads(&["tool_input", "file_path"]));
    /// # Ok::<(), hookc_vm::LoadError>(())
    /// ```
    #[must_use]
    pub fn reads(&self, path: &[&str]) -> bool {
        self.reads_where(path, |_| true)
    }

    /// Like [`Module::reads`], but of the hooks of the event types with a name.
    ///
    /// ```
    /// # let module = hookc_vm::Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// assert!(module.event_reads("PreToolUse", &["tool_input", "command"]));
    /// assert!(!module.event_reads("Stop", &["tool_input", "command"]));
    /// # Ok::<(), hookc_vm::LoadError>(())
    /// ```
    #[must_use]
    pub fn event_reads(&self, event: &str, path: &[&str]) -> bool {
        let tables = self.tables_in_place();
        let root = tables.trie().node(0).map_or(NONE, |node| node.slot.get());
        let mut rows = tables.events.iter().filter(|row| tables.bytes(row.name.get()) == event.as_bytes());
        rows.any(|row| {
            let (nodes, whole) = (tables.indices_of(row.reads), tables.indices_of(row.whole));
            let has = |list: &[U32], number: u32| list.binary_search_by_key(&number, |one| one.get()).is_ok();
            self.reads_where(path, |node| if node == 0 { has(whole, root) } else { has(nodes, node) })
        })
    }

    /// Whether the member at the end of a path is read, if only nodes count for which `is_read` is true.
    fn reads_where(&self, path: &[&str], is_read: impl Fn(u32) -> bool) -> bool {
        let trie = self.tables_in_place().trie();
        // The slot of a root member can be there only to choose between it and the member of `event`.
        let is_value = |slot: U32| {
            let mut choices = trie.derived.iter().filter(|row| row.guard == slot).peekable();
            slot.get() != NONE && (choices.peek().is_none() || choices.any(|row| row.root == slot))
        };
        let mut number = 0;
        for name in path {
            let Some(node) = trie.node(number) else { return false };
            // Something reads the whole value above it.
            if is_value(node.slot) && is_read(number) {
                return true;
            }
            let edges = trie.edges_of(node).0;
            let Some(edge) = edges.iter().find(|edge| trie.name(edge) == name.as_bytes()) else {
                return false;
            };
            number = edge.node.get();
            if !is_read(number) {
                return false;
            }
        }
        trie.node(number).is_some()
    }

    /// Verifies the event type of a row, if it is not verified yet. By view, the members of commands that
    /// its hooks read.
    pub(crate) fn require(&self, row: Option<usize>) -> Result<&[Members], LoadError> {
        match (&self.inner.pending, row) {
            (Some(pending), Some(row)) => pending.event(self.tables_in_place(), row),
            _ => Ok(&self.inner.view_members),
        }
    }

    /// Whether a predicate can be evaluated.
    pub(crate) fn has_verified(&self, pred: u32) -> bool {
        self.inner.pending.as_ref().is_none_or(|pending| pending.has_pred(pred))
    }

    /// The bytes that were loaded.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.inner.loaded.borrow_owner()
    }

    /// The content hash: equal sources and options, equal hash.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Header::ref_from_prefix(self.bytes()).map_or([0; 32], |(header, _)| header.hash)
    }

    /// Whether the labels and source locations of hooks are omitted. `false` for a module without
    /// hooks.
    #[must_use]
    pub fn is_stripped(&self) -> bool {
        let tables = self.tables_in_place();
        tables.labels.is_empty() && !tables.hooks.is_empty()
    }

    /// Its event types, by family and name. A program that asks for no other events saves the
    /// decisions about them.
    ///
    /// ```
    /// # let module = hookc_vm::Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// let types: Vec<(&str, usize)> = module.events().map(|event| (event.name, event.hooks)).collect();
    /// assert_eq!(types, [("PreToolUse", 2)]);
    /// # Ok::<(), hookc_vm::LoadError>(())
    /// ```
    pub fn events(&self) -> impl ExactSizeIterator<Item = EventType<'_>> {
        let tables = *self.tables_in_place();
        tables.events.iter().map(move |event| EventType {
            family: Family::from_number(event.family).unwrap_or(Family::Thread),
            name: tables.str(event.name.get()),
            strategy: Strategy::from_number(event.strategy).unwrap_or(Strategy::First),
            hooks: tables.hooks_of(event).len(),
        })
    }

    /// The limits of its decisions.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// The tables without a copy of their slices.
    pub(crate) fn tables_in_place(&self) -> &Tables<'_> {
        self.inner.loaded.borrow_dependent()
    }

    pub(crate) fn types(&self) -> &EventTypes {
        &self.inner.types
    }

    pub(crate) fn type_nodes(&self) -> &[U32] {
        &self.inner.type_nodes
    }

    /// The trie_index to its trie.
    pub(crate) fn trie_index(&self) -> &TrieIndex {
        &self.inner.trie_index
    }

    /// The programs that policies describe, and those that they declare as wrappers.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.inner.effects.programs
    }

    /// By view of a command line, the members of its commands that conditions and templates read; none of an
    /// opened module.
    #[doc(hidden)]
    #[must_use]
    pub fn view_members(&self) -> &[Members] {
        &self.inner.view_members
    }

    /// Its predicates about effects.
    pub(crate) fn effects(&self) -> &Effects {
        &self.inner.effects
    }

    /// Its monitors.
    pub(crate) fn history(&self) -> &History {
        self.inner.history.get_or_init(|| History::new(self.tables_in_place()))
    }

    /// The number of the row of an event type.
    pub(crate) fn row_of(&self, event: &Event) -> Option<u32> {
        let tables = self.tables_in_place();
        let key = |event: &Event| (event.family, tables.bytes(event.name.get()));
        let row = tables.events.binary_search_by(|other| key(other).cmp(&key(event))).ok()?;
        u32::try_from(row).ok()
    }

    pub(crate) fn patterns(&self) -> &Patterns {
        &self.inner.patterns
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module")
            .field("bytes", &self.bytes().len())
            .field("tables", self.tables_in_place())
            .finish()
    }
}
