//! The tree of a commit, from a loose object or a pack. Of an object only the start is inflated.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::inflate_flags::{TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::index::NAME;
use super::{bytes, number};

/// A commit starts with `tree`, the name of its tree as hexadecimal digits, and a line feed.
const START: usize = 5 + 2 * NAME;

/// More than the compressed bytes from which a start inflates, with the tables of its codes.
const COMPRESSED: u64 = 1024;

/// The packs that are searched: git joins them before there are many.
const PACKS: usize = 100;

/// The name of the tree of a commit in a directory of git; `None` if the commit is not found, or is a difference from
/// another one.
pub(super) fn tree_of(common: &Path, commit: &str) -> Option<[u8; NAME]> {
    let name = digits(commit.as_bytes())?;
    let objects = common.join("objects");
    let (directory, file) = commit.split_at_checked(2)?;
    let start = match start_of(&objects.join(directory).join(file), 0) {
        Some(compressed) => inflated(&compressed)?,
        None => in_packs(&objects.join("pack"), &name)?,
    };
    let tree = start.windows(5).position(|part| part == b"tree ")?;
    digits(start.get(tree + 5..tree + START)?)
}

/// The bytes that digits name.
fn digits(text: &[u8]) -> Option<[u8; NAME]> {
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16)?).ok();
    let pairs = text.chunks_exact(2).map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.last()?)?));
    pairs.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

/// Some bytes of a file from a position.
fn start_of(path: &Path, at: u64) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(at)).ok()?;
    let mut start = Vec::new();
    file.take(COMPRESSED).read_to_end(&mut start).ok()?;
    Some(start)
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
fn in_packs(packs: &Path, name: &[u8; NAME]) -> Option<Vec<u8>> {
    let files = std::fs::read_dir(packs).ok()?.take(PACKS * 4).flatten().map(|entry| entry.path());
    let indexes = files.filter(|path| path.extension().is_some_and(|end| end == "idx"));
    indexes.take(PACKS).find_map(|index| {
        let at = offset(&bytes(&index)?, name)?;
        let start = start_of(&index.with_extension("pack"), at)?;
        // The type is in three bits of the first byte, the length in the others and the following bytes.
        let is_commit = start.first()? >> 4 & 7 == 1;
        let length = start.iter().position(|byte| byte & 128 == 0)? + 1;
        is_commit.then(|| inflated(start.get(length..)?)).flatten()
    })
}

/// Where an object is in a pack (`gitformat-pack`, version 2 of its index).
fn offset(index: &[u8], name: &[u8; NAME]) -> Option<u64> {
    const HEAD: usize = 8;
    const NAMES: usize = HEAD + 256 * 4;
    if number(index, 0)? != 0xff74_4f63 || number(index, 4)? != 2 {
        return None;
    }
    let before = |byte: usize| usize::try_from(number(index, HEAD + byte * 4)?).ok();
    let first = usize::from(*name.first()?);
    let (start, end, count) = (if first == 0 { 0 } else { before(first - 1)? }, before(first)?, before(255)?);
    let named = |at: usize| index.get(NAMES + at * NAME..NAMES + (at + 1) * NAME);
    let at = (start..end.min(count)).find(|at| named(*at) == Some(name.as_slice()))?;
    // After the names come sums and offsets, of four bytes each.
    let small = number(index, NAMES + count * (NAME + 4) + at * 4)?;
    let Some(large) = small.checked_sub(1 << 31) else { return Some(small.into()) };
    let position = NAMES + count * (NAME + 8) + usize::try_from(large).ok()? * 8;
    Some(u64::from(number(index, position)?) << 32 | u64::from(number(index, position + 4)?))
}
