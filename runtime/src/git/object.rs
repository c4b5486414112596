//! The tree of a commit, from a loose object or a pack. Of an object only the start is inflated.

use std::cmp::Ordering;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::inflate_flags::{TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::files::Files;
use super::number;
use crate::open::regular;

/// A commit starts with `tree`, the name of its tree as at most 64 hexadecimal digits, and a line feed.
const START: usize = 5 + 64;

/// More than the compressed bytes from which a start inflates, with the tables of its codes.
const COMPRESSED: u64 = 1024;

/// The packs that are searched: git joins them before there are many.
const PACKS: usize = 100;

/// The name of the tree of a commit in a directory of git; `None` if the commit is not found, or is a difference from
/// another one.
pub(super) fn tree_of(files: &Files, common: &Path, commit: &str) -> Option<Vec<u8>> {
    let name = digits(commit.as_bytes())?;
    let objects = common.join("objects");
    let (directory, file) = commit.split_at_checked(2)?;
    let start = match files.part(&objects.join(directory).join(file), 0, COMPRESSED) {
        Some(compressed) => {
            let object = inflated(&compressed)?;
            // The type and the length are before a zero.
            let end = object.starts_with(b"commit ").then(|| object.iter().position(|byte| *byte == 0))??;
            object.get(end + 1..)?.to_vec()
        }
        None => in_packs(files, &objects.join("pack"), &name)?,
    };
    digits(start.strip_prefix(b"tree ")?.get(..commit.len())?)
}

/// The bytes that digits name.
fn digits(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16)?).ok();
    let pairs = text.chunks_exact(2).map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.last()?)?));
    pairs.collect()
}

/// The start of what was compressed.
fn inflated(compressed: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0; 4 * START];
    let flags =
        TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, _, length) = decompress(&mut DecompressorOxide::new(), compressed, &mut out, 0, flags);
    let is_read =
        matches!(status, TINFLStatus::Done | TINFLStatus::HasMoreOutput | TINFLStatus::NeedsMoreInput);
    out.truncate(length);
    is_read.then_some(out)
}

/// The start of an object in a directory of packs.
fn in_packs(files: &Files, packs: &Path, name: &[u8]) -> Option<Vec<u8>> {
    let entries = std::fs::read_dir(packs).ok()?.take(PACKS * 4).flatten().map(|entry| entry.path());
    let indexes = entries.filter(|path| path.extension().is_some_and(|end| end == "idx"));
    indexes.take(PACKS).find_map(|index| {
        let at = PackIndex::open(&index, name.len())?.offset(name)?;
        let start = files.part(&index.with_extension("pack"), at, COMPRESSED)?;
        // The type is in three bits of the first byte, the length in the others and the following bytes.
        let is_commit = start.first()? >> 4 & 7 == 1;
        let length = start.iter().position(|byte| byte & 128 == 0)? + 1;
        is_commit.then(|| inflated(start.get(length..)?)).flatten()
    })
}

/// The index of a pack (`gitformat-pack`, version 2): how many names start with each byte or a lower one, the names in
/// order, a sum of four bytes for each, an offset of four bytes for each, and offsets of eight bytes.
struct PackIndex {
    file: File,
    /// The number of names up to each first byte.
    counts: Vec<u64>,
    /// The bytes of a name.
    hash: usize,
}

impl PackIndex {
    const HEAD: u64 = 8;
    const NAMES: u64 = Self::HEAD + 256 * 4;

    fn open(path: &Path, hash: usize) -> Option<Self> {
        let file = regular(path).ok()?;
        let mut start = vec![0; usize::try_from(Self::NAMES).ok()?];
        file.read_exact_at(&mut start, 0).ok()?;
        if number(&start, 0)? != 0xff74_4f63 || number(&start, 4)? != 2 {
            return None;
        }
        let counts: Option<Vec<u64>> = (2..258).map(|at| number(&start, at * 4).map(u64::from)).collect();
        let index = Self { file, counts: counts?, hash };
        let size = Self::NAMES + index.count()? * (hash as u64 + 8);
        let is_sound = index.counts.is_sorted() && size <= index.file.metadata().ok()?.len();
        is_sound.then_some(index)
    }

    /// The number of names.
    fn count(&self) -> Option<u64> {
        self.counts.last().copied()
    }

    /// Where an object is in the pack.
    fn offset(&self, name: &[u8]) -> Option<u64> {
        let first = usize::from(*name.first()?);
        let start = first.checked_sub(1).map_or(Some(0), |before| self.counts.get(before).copied())?;
        let (mut start, mut end) = (start, *self.counts.get(first)?);
        while start < end {
            let middle = start + (end - start) / 2;
            let mut found = vec![0; self.hash];
            self.file.read_exact_at(&mut found, Self::NAMES + middle * self.hash as u64).ok()?;
            match found.as_slice().cmp(name) {
                Ordering::Less => start = middle + 1,
                Ordering::Greater => end = middle,
                Ordering::Equal => return self.offset_at(middle),
            }
        }
        None
    }

    fn offset_at(&self, at: u64) -> Option<u64> {
        let count = self.count()?;
        let small = self.number(Self::NAMES + count * (self.hash as u64 + 4) + at * 4)?;
        let Some(large) = small.checked_sub(1 << 31) else { return Some(small) };
        let position = Self::NAMES + count * (self.hash as u64 + 8) + large * 8;
        Some(self.number(position)? << 32 | self.number(position + 4)?)
    }

    fn number(&self, at: u64) -> Option<u64> {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, at).ok()?;
        Some(u32::from_be_bytes(bytes).into())
    }
}
