//! The module: what the compiler writes and the VM reads.
//!
//! `Image` (tables as vectors) `→ encode → bytes → decode → verify →` [`Module`]. Only a [`Module`]
//! can be evaluated, and the verifier is the only way to create one.

mod decode;
mod encode;
mod error;
mod image;
mod patterns;
mod tables;
mod verify;

use std::fmt;
use std::sync::Arc;

use zerocopy::FromBytes;

use hookc_base::{Family, Strategy};

pub use error::LoadError;
pub use image::Image;
pub(crate) use patterns::Patterns;
pub use tables::Tables;
pub(crate) use tables::row;

use crate::event::TrieIndex;
use crate::limits::Limits;
use crate::rows::{Header, U32};

/// A verified module: immutable, shared by cloning, usable from any thread.
#[derive(Clone)]
pub struct Module {
    inner: Arc<Inner>,
}

struct Inner {
    bytes: Vec<u8>,
    layout: tables::Layout,
    limits: Limits,
    /// The trie nodes of the type paths, ascending.
    type_nodes: Vec<U32>,
    patterns: Patterns,
    trie_index: TrieIndex,
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
    /// Decodes and verifies untrusted `bytes`; the tables are used in place. Costs one pass for the
    /// hash and one over the rows.
    ///
    /// # Errors
    /// The problem and its location. The hash is not a signature: it detects accidental changes, so
    /// everything is verified in any case.
    pub fn load(bytes: Vec<u8>) -> Result<Self, LoadError> {
        Self::load_with(bytes, Limits::default())
    }

    /// The same with lower limits for all decisions of this module.
    ///
    /// # Errors
    /// As [`Module::load`].
    pub fn load_with(bytes: Vec<u8>, limits: Limits) -> Result<Self, LoadError> {
        let layout = decode::decode(&bytes)?;
        let tables = Tables::new(&bytes, &layout);
        let type_nodes = verify::verify(&tables, bytes.len())?;
        let patterns = Patterns::new(tables.patterns.len());
        let trie_index = TrieIndex::new(&tables.trie());
        let inner = Inner { bytes, layout, limits: limits.clamped(), type_nodes, patterns, trie_index };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The tables, for listings and tools.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables::new(&self.inner.bytes, &self.inner.layout)
    }

    /// The bytes that were loaded.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.inner.bytes
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

    /// Its event types, by family and name.
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

    pub(crate) fn type_nodes(&self) -> &[U32] {
        &self.inner.type_nodes
    }

    /// The trie_index to its trie.
    pub(crate) fn trie_index(&self) -> &TrieIndex {
        &self.inner.trie_index
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
