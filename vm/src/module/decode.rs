//! From bytes to tables: header, hash, section directory. The verifier checks the content of rows.

use std::mem::offset_of;

use zerocopy::FromBytes;

use super::encode::ALIGN;
use super::error::LoadError;
use super::tables::Layout;
use crate::limits::MODULE_BYTES;
use crate::rows::{HISTORY, Header, MAGIC, Section, SectionKind, VERSION};

/// The ranges of the sections.
pub(super) fn decode(bytes: &[u8]) -> Result<Layout, LoadError> {
    if bytes.len() > MODULE_BYTES {
        return Err(LoadError::TooLarge(bytes.len()));
    }
    let (header, rest) = Header::ref_from_prefix(bytes).map_err(|_| not_a_header(bytes))?;
    check_header(header, bytes)?;
    let count = header.sections.get() as usize;
    let Ok((directory, _)) = <[Section]>::ref_from_prefix_with_elems(rest, count) else {
        let what = "the directory is longer than the module";
        return Err(LoadError::Section { entry: count, kind: 0, what });
    };
    let start = size_of::<Header>().saturating_add(size_of_val(directory));
    let mut walk =
        Walk { bytes, end: start, last: 0, has_history: false, layout: Layout::new(header.slots.get()) };
    for (entry, section) in directory.iter().enumerate() {
        walk.section(section).map_err(|problem| problem.at(entry, section.kind.get()))?;
    }
    if walk.end != bytes.len() {
        return Err(LoadError::Stray(walk.end));
    }
    let features = if walk.has_history { HISTORY } else { 0 };
    if header.features.get() == features {
        Ok(walk.layout)
    } else {
        Err(LoadError::Features(header.features.get()))
    }
}

/// BLAKE3 of a module's bytes with the hash field zero.
pub(super) fn hash(bytes: &[u8]) -> [u8; 32] {
    let field = offset_of!(Header, hash);
    let (before, rest) = bytes.split_at_checked(field).unwrap_or((bytes, &[]));
    let after = rest.get(32..).unwrap_or_default();
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(&[0; 32]).update(after);
    hasher.finalize().into()
}

fn not_a_header(bytes: &[u8]) -> LoadError {
    let magic = bytes.get(..MAGIC.len()).is_none_or(|start| start == MAGIC);
    if magic { LoadError::TooShort(bytes.len()) } else { LoadError::NotAModule }
}

fn check_header(header: &Header, bytes: &[u8]) -> Result<(), LoadError> {
    if header.magic != MAGIC {
        return Err(LoadError::NotAModule);
    }
    if header.version.get() != VERSION {
        return Err(LoadError::Version(header.version.get()));
    }
    if header.features.get() & !HISTORY != 0 {
        return Err(LoadError::Features(header.features.get()));
    }
    if header.length.get() as usize != bytes.len() {
        return Err(LoadError::Length { stated: header.length.get(), found: bytes.len() });
    }
    if header.hash != hash(bytes) {
        return Err(LoadError::Hash);
    }
    if header.reserved.get() != 0 {
        return Err(LoadError::Reserved);
    }
    Ok(())
}

/// The problem of a directory entry, before the entry is known.
enum Problem {
    Entry(&'static str),
    Stray(usize),
}

impl Problem {
    fn at(self, entry: usize, kind: u32) -> LoadError {
        match self {
            Self::Entry(what) => LoadError::Section { entry, kind, what },
            Self::Stray(offset) => LoadError::Stray(offset),
        }
    }
}

struct Walk<'b> {
    bytes: &'b [u8],
    /// The end of all sections so far.
    end: usize,
    /// The kind before.
    last: u32,
    /// Whether a section is about the history.
    has_history: bool,
    layout: Layout,
}

impl Walk<'_> {
    fn section(&mut self, section: &Section) -> Result<(), Problem> {
        let number = section.kind.get();
        let (offset, length) = (section.offset.get() as usize, section.length.get() as usize);
        let end = offset.saturating_add(length);
        let Some(kind) = SectionKind::from_number(number) else {
            return Err(Problem::Entry("unknown section"));
        };
        let problem = if number == self.last {
            "duplicate section"
        } else if number < self.last {
            "sections are not ascending"
        } else if !offset.is_multiple_of(ALIGN) {
            "the offset is not a multiple of 8"
        } else if offset < self.end {
            "it overlaps the previous section"
        } else if end > self.bytes.len() {
            "it ends after the end of the module"
        } else if length == 0 {
            "it is empty and must be absent"
        } else if !length.is_multiple_of(kind.width()) {
            "its length is not a whole number of rows"
        } else {
            self.padding(offset)?;
            (self.last, self.end) = (number, end);
            self.has_history |= kind.is_history();
            self.layout.set(kind, (offset, end));
            return Ok(());
        };
        Err(Problem::Entry(problem))
    }

    /// Sections are separated by the minimal padding of zero bytes.
    fn padding(&self, offset: usize) -> Result<(), Problem> {
        let gap = self.bytes.get(self.end..offset).unwrap_or_default();
        let clean = gap.len() < ALIGN && gap.iter().all(|byte| *byte == 0);
        if clean { Ok(()) } else { Err(Problem::Stray(self.end)) }
    }
}
