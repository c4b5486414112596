//! Why bytes are not a valid module.

use std::error::Error;
use std::fmt;

use crate::code::error_codes;
use crate::limits::MODULE_BYTES;
use crate::rows::{self, SectionKind};

/// The problem of a module's bytes, and its location.
///
/// ```
/// use hookc_vm::{LoadError, Module};
///
/// let error = Module::load(b"hooks: []").err();
/// assert_eq!(error, Some(LoadError::NotAModule));
/// assert_eq!(error.map(|error| error.code()), Some("not_a_module"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// Fewer bytes than a header has; these many.
    TooShort(usize),
    /// More bytes than [`MODULE_BYTES`]; these many.
    TooLarge(usize),
    /// The first bytes are not [`MAGIC`](rows::MAGIC).
    NotAModule,
    /// Another version of the format than [`VERSION`](rows::VERSION).
    Version(u32),
    /// Feature bits that this reader does not support.
    Features(u32),
    /// The header's length is not the number of bytes.
    Length {
        /// The value in the header.
        stated: u32,
        /// Bytes in all.
        found: usize,
    },
    /// The bytes do not have the hash that the header states.
    Hash,
    /// The header's reserved field is not zero.
    Reserved,
    /// An entry of the section directory.
    Section {
        /// Entry, from 0.
        entry: usize,
        /// Its kind's number.
        kind: u32,
        /// The problem.
        what: &'static str,
    },
    /// Non-zero bytes after the last section or between sections, from this offset on.
    Stray(usize),
    /// A row of a section.
    Row {
        /// The section.
        section: SectionKind,
        /// Row, from 0.
        row: usize,
        /// The problem.
        what: &'static str,
    },
    /// Rows share so much of other tables that verification would not be
    /// linear in the module's length.
    Sharing,
    /// A decision met a row that is not valid.
    Unverified,
}

error_codes! { LoadError {
    TooShort | NotAModule => "not_a_module" "the bytes are something else than a module",
    TooLarge => "too_large" "the module has more bytes than the limit",
    Version => "version" "the module has another version of the format: compile the policy again",
    Features => "features" "the module needs features that this version does not have",
    Length | Hash | Reserved | Section | Stray | Row | Sharing | Unverified => "damaged" "the module is not as the compiler wrote it",
} }

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort(bytes) => write!(f, "{bytes} bytes are too few for a module"),
            Self::TooLarge(bytes) => {
                write!(f, "{bytes} bytes exceed the limit of a module ({MODULE_BYTES})")
            }
            Self::NotAModule => write!(f, "not a hookc module: the magic number is wrong"),
            Self::Version(version) => write!(
                f,
                "format version {version}, but this program reads version {}: compile the module again",
                rows::VERSION
            ),
            Self::Features(bits) => {
                write!(f, "the module needs features that this program does not support (bits {bits:#x})")
            }
            Self::Length { stated, found } => {
                write!(f, "the header states {stated} bytes, but the module has {found}")
            }
            Self::Hash => write!(f, "the hash of the bytes differs from the header"),
            Self::Reserved => write!(f, "the header's reserved field is not zero"),
            Self::Section { entry, kind, what } => {
                let name = SectionKind::from_number(*kind).map_or("unknown", SectionKind::name);
                write!(f, "section {entry} (kind {kind}, {name}): {what}")
            }
            Self::Stray(offset) => write!(f, "bytes outside all sections at offset {offset}"),
            Self::Row { section, row, what } => write!(f, "{} row {row}: {what}", section.name()),
            Self::Sharing => write!(f, "rows share too much of other tables"),
            Self::Unverified => write!(f, "the decision needs a row that is not valid"),
        }
    }
}

impl Error for LoadError {}
