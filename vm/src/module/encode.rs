//! From tables to bytes.

use zerocopy::IntoBytes;

use super::decode::hash;
use super::image::{Image, saturating_u32};
use crate::rows::{HISTORY, Header, MAGIC, Section, SectionKind, VERSION};

/// The alignment of sections.
pub(super) const ALIGN: usize = 8;

macro_rules! sections {
    ($($number:literal $name:ident $field:ident: $row:ty, $meaning:literal;)*) => {
        /// The sections that have rows, ascending.
        fn sections(image: &Image) -> Vec<(SectionKind, &[u8])> {
            let sections = [$((SectionKind::$name, image.$field.as_slice().as_bytes()),)*];
            sections.into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect()
        }
    };
}

crate::for_each_section!(sections);

impl Image {
    /// The bytes of the module. Nothing is checked here: an invalid module (an index out of range,
    /// more than [`MODULE_BYTES`](crate::limits::MODULE_BYTES) in total) is written too, and
    /// [`Module::load`](super::Module::load) rejects it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let sections = sections(self);
        let mut out = vec![0; size_of::<Header>()];
        let mut end = out.len().saturating_add(sections.len().saturating_mul(size_of::<Section>()));
        for (kind, bytes) in &sections {
            let offset = end.next_multiple_of(ALIGN);
            let entry = Section {
                kind: (*kind as u32).into(),
                offset: saturating_u32(offset).into(),
                length: saturating_u32(bytes.len()).into(),
            };
            out.extend_from_slice(entry.as_bytes());
            end = offset.saturating_add(bytes.len());
        }
        for (_, bytes) in &sections {
            out.resize(out.len().next_multiple_of(ALIGN), 0);
            out.extend_from_slice(bytes);
        }
        let mut header = Header {
            magic: MAGIC,
            version: VERSION.into(),
            features: if sections.iter().any(|(kind, _)| kind.is_history()) { HISTORY } else { 0 }.into(),
            length: saturating_u32(out.len()).into(),
            sections: saturating_u32(sections.len()).into(),
            slots: self.slots.into(),
            reserved: 0.into(),
            hash: [0; 32],
        };
        write_header(&mut out, &header);
        header.hash = hash(&out);
        write_header(&mut out, &header);
        out
    }
}

fn write_header(out: &mut [u8], header: &Header) {
    if let Some(place) = out.get_mut(..size_of::<Header>()) {
        place.copy_from_slice(header.as_bytes());
    }
}
