//! Mutants of modules: their sections are taken apart, changed, and put together again, so that the
//! header, the directory and the hash are right unless the change is about them.

use std::ops::Range;

use hookc_oracle::generate::Rng;
use hookc_vm::format::SectionKind;

use crate::module::rehashed;

/// Bytes of the header, of an entry of the directory, and between the starts of sections.
const HEADER: usize = 64;
const ENTRY: usize = 12;
const ALIGN: usize = 8;
/// Where the header has the number of sections, and the number of slots.
const SECTIONS: Range<usize> = 20..24;
const SLOTS: Range<usize> = 24..28;

/// A module in parts.
#[derive(Clone, Debug)]
pub struct Parts {
    header: Vec<u8>,
    sections: Vec<(u32, Vec<u8>)>,
}

fn word(bytes: &[u8], range: Range<usize>) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(range)?.try_into().ok()?))
}

impl Parts {
    /// The parts of a valid module; `None` of other bytes.
    #[must_use]
    pub fn read(module: &[u8]) -> Option<Self> {
        let count = word(module, SECTIONS)? as usize;
        let section = |at: usize| {
            let start = HEADER + at * ENTRY;
            let field = |at: usize| word(module, start + at..start + at + 4);
            let (kind, offset, length) = (field(0)?, field(4)? as usize, field(8)? as usize);
            Some((kind, module.get(offset..offset.checked_add(length)?)?.to_vec()))
        };
        let sections = (0..count).map(section).collect::<Option<_>>()?;
        Some(Self { header: module.get(..HEADER)?.to_vec(), sections })
    }

    /// The module of these parts.
    #[must_use]
    pub fn module(&self) -> Vec<u8> {
        let mut out = self.header.clone();
        let put = |out: &mut Vec<u8>, number: usize| {
            out.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        };
        let count = u32::try_from(self.sections.len()).unwrap_or(u32::MAX);
        if let Some(place) = out.get_mut(SECTIONS) {
            place.copy_from_slice(&count.to_le_bytes());
        }
        let mut end = HEADER + self.sections.len() * ENTRY;
        for (kind, bytes) in &self.sections {
            end = end.next_multiple_of(ALIGN);
            out.extend(kind.to_le_bytes());
            put(&mut out, end);
            put(&mut out, bytes.len());
            end += bytes.len();
        }
        for (_, bytes) in &self.sections {
            out.resize(out.len().next_multiple_of(ALIGN), 0);
            out.extend_from_slice(bytes);
        }
        rehashed(&out)
    }

    /// A changed module.
    #[must_use]
    pub fn mutant(&self, rng: &mut Rng) -> Vec<u8> {
        let mut changed = self.clone();
        for _ in 0..=rng.below(3) {
            changed.change(rng);
        }
        let mut bytes = changed.module();
        if rng.chance(10) {
            // Anywhere, so also in the directory and in what the parts keep right.
            for _ in 0..=rng.below(2) {
                let at = rng.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
            bytes = rehashed(&bytes);
        }
        bytes
    }

    fn change(&mut self, rng: &mut Rng) {
        let (one, two) = (rng.below(self.sections.len()), rng.below(self.sections.len()));
        match rng.below(12) {
            0 => self.slots(rng),
            1 => self.swap(one, two),
            2 if one < self.sections.len() => drop(self.sections.remove(one)),
            3 => self.copy(one, two, rng),
            _ => {
                if let Some((kind, bytes)) = self.sections.get_mut(one) {
                    let width = SectionKind::from_number(*kind).map_or(1, SectionKind::width);
                    rows(bytes, width, rng);
                }
            }
        }
    }

    /// Another number of slots.
    fn slots(&mut self, rng: &mut Rng) {
        let slots = word(&self.header, SLOTS).unwrap_or_default();
        let near = slots.wrapping_add(number(rng, slots));
        if let Some(place) = self.header.get_mut(SLOTS) {
            place.copy_from_slice(&near.to_le_bytes());
        }
    }

    /// Two sections exchange their rows.
    fn swap(&mut self, one: usize, two: usize) {
        let (low, high) = (one.min(two), one.max(two));
        if let Some((before, after)) = self.sections.split_at_mut_checked(high)
            && let (Some(low), Some(high)) = (before.get_mut(low), after.first_mut())
        {
            std::mem::swap(&mut low.1, &mut high.1);
        }
    }

    /// Rows of one section go to another one.
    fn copy(&mut self, one: usize, two: usize, rng: &mut Rng) {
        let from = self.sections.get(one).map(|(_, bytes)| bytes.clone()).unwrap_or_default();
        if let Some((kind, bytes)) = self.sections.get_mut(two) {
            let width = SectionKind::from_number(*kind).map_or(1, SectionKind::width);
            let count = (from.len() / width).min(1 + rng.below(3));
            bytes.extend_from_slice(from.get(..count * width).unwrap_or_default());
        }
    }
}

/// A number that passes many checks, or few.
fn number(rng: &mut Rng, near: u32) -> u32 {
    match rng.below(6) {
        0 => u32::MAX,
        1 => near.wrapping_add(1),
        2 => near.wrapping_sub(1),
        3 => u32::try_from(rng.bits() & u64::from(u32::MAX)).unwrap_or_default(),
        _ => u32::try_from(rng.below(40)).unwrap_or_default(),
    }
}

/// Changes a field, or rows as a whole.
fn rows(bytes: &mut Vec<u8>, width: usize, rng: &mut Rng) {
    let count = bytes.len() / width.max(1);
    let at = rng.below(count) * width;
    match rng.below(10) {
        0 if count > 0 => drop(bytes.drain(at..at + width)),
        1 if count > 0 => {
            let row = bytes.get(at..at + width).unwrap_or_default().to_vec();
            bytes.extend(row);
        }
        2 if count > 1 => {
            let other = rng.below(count) * width;
            for place in 0..width {
                bytes.swap(at + place, other + place);
            }
        }
        3 => {
            let at = rng.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        _ if bytes.len() >= 4 => {
            let start = rng.below(bytes.len() / 4) * 4;
            let near = word(bytes, start..start + 4).unwrap_or_default();
            let number = number(rng, near);
            if let Some(place) = bytes.get_mut(start..start + 4) {
                place.copy_from_slice(&number.to_le_bytes());
            }
        }
        _ => {}
    }
}
