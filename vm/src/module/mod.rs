//! The module: what the compiler writes and the VM reads.
//!
//! `Image` (tables as vectors) `→ encode → bytes → decode → verify →` [`Module`]. Only a [`Module`]
//! can be evaluated, and the verifier is the only way to create one.

mod decode;
mod encode;
mod error;
mod image;
mod members;
mod patterns;
mod tables;
mod types;
mod verify;

use std::fmt;
use std::sync::Arc;

use self_cell::self_cell;
use zerocopy::FromBytes;

use hookc_base::{Family, Strategy};

pub use error::LoadError;
pub use image::Image;
pub(crate) use patterns::Patterns;
pub use tables::Tables;
pub(crate) use tables::row;
pub(crate) use types::EventTypes;

use crate::event::TrieIndex;
use crate::limits::Limits;
use crate::rows::{Header, U32};
use crate::shell::{Members, Wrapper};

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
    trie_index: TrieIndex,
    wrappers: Arc<[Wrapper]>,
    /// By view, the members of commands that are read.
    view_members: Vec<Members>,
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

    /// The same with lower limits for all decisions of this module.
    ///
    /// # Errors
    /// As [`Module::load`].
    pub fn load_with(bytes: impl Into<Vec<u8>>, limits: Limits) -> Result<Self, LoadError> {
        Self::verified(bytes.into(), limits)
    }

    fn verified(bytes: Vec<u8>, limits: Limits) -> Result<Self, LoadError> {
        let layout = decode::decode(&bytes)?;
        let length = bytes.len();
        let loaded = Loaded::new(bytes, |bytes| Tables::new(bytes, &layout));
        let tables = loaded.borrow_dependent();
        let type_nodes = verify::verify(tables, length)?;
        let types = EventTypes::new(tables);
        let patterns = Patterns::new(tables.patterns.len());
        let trie_index = TrieIndex::new(&tables.trie());
        let wrappers = tables.shell_wrappers().into();
        let view_members = members::of_views(tables);
        let limits = limits.clamped();
        let inner = Inner { loaded, limits, type_nodes, types, patterns, trie_index, wrappers, view_members };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The tables, for listings and tools.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        *self.tables_in_place()
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
        let tables = self.tables();
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
        let tables = self.tables();
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

    /// The programs that the policy declares as wrappers.
    #[must_use]
    pub fn wrappers(&self) -> &Arc<[Wrapper]> {
        &self.inner.wrappers
    }

    /// By view of a command line, the members of its commands that conditions and templates read.
    #[doc(hidden)]
    #[must_use]
    pub fn view_members(&self) -> &[Members] {
        &self.inner.view_members
    }

    pub(crate) fn patterns(&self) -> &Patterns {
        &self.inner.patterns
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("bytes", &self.bytes().len()).field("tables", &self.tables()).finish()
    }
}
