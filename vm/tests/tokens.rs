//! The scanner with vector instructions against the portable one: the same texts are rejected with
//! the same error, and the same values are in the slots.

use std::fmt::Write as _;

use crate::common::amount;
use crate::support::Tables;
use hookc_vm::EventError;
use hookc_vm::format::event::{Item, Level, Slots, TrieIndex};
use hookc_vm::limits::Limits;

/// Xorshift64*.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const PATHS: &[&str] = &[
    "a",
    "a.b",
    "a.b.c",
    "a.l",
    "a.l.0",
    "a.l.-1",
    "a.l.-2.k",
    "l",
    "l.0",
    "l.3.b",
    "l.-1",
    "type",
    "event.type",
    "event.a",
    "event.tool_input.command",
    "tool_input",
    "tool_input.command",
    "é",
    "long_name_of_a_key",
    "n",
];

const KEYS: &[&str] = &[
    "a",
    "b",
    "c",
    "l",
    "k",
    "type",
    "event",
    "tool_input",
    "command",
    "é",
    "long_name_of_a_key",
    "n",
    "\\u0061",
    "",
    "x\\\"y",
    "a\\\\",
    "other",
];
const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "12",
    "-3.25e+7",
    "1e9999",
    "1.0E-2",
    "\"\"",
    "\"text\"",
    "\"\\\\\"",
    "\"\\\"\"",
    "\"a\\nb\\u00e9\\ud83d\\ude00\"",
    "\"é😀 { } [ ] : , \"",
    "\"\\\\\\\\\\\"\"",
    "\"\\/\"",
];
const SPACES: &[&str] = &["", "", "", " ", "\n  ", "\t", "\r\n", "                                       "];
/// What a mutation inserts.
const PIECES: &[&str] = &[
    "\"", "\\", "{", "}", "[", "]", ":", ",", " ", "\n", "\0", "\u{c}", "\u{1a}", "\u{1f}", "\u{7f}", "é",
    "\u{2028}", "0", "1", "-", ".", "e", "E5", "t", "true", "nul", "\\u", "\\ud800", "\\udc00", "\\u00",
    "\"\"", "//", "'", ";", "NaN",
];

fn value(rng: &mut Rng, depth: usize, out: &mut String) {
    match rng.below(if depth > 5 { 5 } else { 10 }) {
        0..=3 => out.push_str(rng.pick(SCALARS)),
        4 => {
            let length = rng.below(200);
            let _ = write!(out, "\"{}\"", "plain text, ".repeat(length / 12 + 1));
        }
        5..=7 => object(rng, depth, out),
        _ => {
            out.push('[');
            for element in 0..rng.below(5) {
                if element > 0 {
                    out.push(',');
                }
                out.push_str(rng.pick(SPACES));
                value(rng, depth + 1, out);
                out.push_str(rng.pick(SPACES));
            }
            out.push(']');
        }
    }
}

fn object(rng: &mut Rng, depth: usize, out: &mut String) {
    out.push('{');
    for member in 0..rng.below(if depth == 0 { 9 } else { 5 }) {
        if member > 0 {
            out.push(',');
        }
        let key = rng.pick(KEYS);
        let _ = write!(out, "{}\"{key}\"{}:{}", rng.pick(SPACES), rng.pick(SPACES), rng.pick(SPACES));
        value(rng, depth + 1, out);
        out.push_str(rng.pick(SPACES));
    }
    out.push('}');
}

fn mutated(rng: &mut Rng, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(chars.len() + 1);
        match rng.below(4) {
            0 => chars.truncate(at),
            1 if at < chars.len() => drop(chars.remove(at)),
            2 if at < chars.len() => {
                let from = rng.below(chars.len());
                chars.swap(at, from);
            }
            _ => drop(chars.splice(at..at, rng.pick(PIECES).chars())),
        }
    }
    chars.into_iter().collect()
}

/// The instructions of a process are chosen once.
#[test]
fn one_level_is_chosen() {
    let used = Level::best();
    assert!(used.choose());
    let others = ["portable", "avx2", "avx512"].into_iter().filter_map(Level::named);
    for other in others.filter(|other| *other != used) {
        assert!(!other.choose() && Level::best() == used, "{}", other.name());
    }
}

/// A level has its name, and is there if the processor has its instructions.
#[test]
fn levels_are_those_of_the_processor() {
    for name in ["portable", "avx2", "avx512"] {
        assert!(Level::named(name).is_none_or(|level| level.name() == name), "{name}");
    }
    assert!(Level::named("portable").is_some() && Level::named("").is_none());
    #[cfg(target_arch = "x86_64")]
    {
        let bits = is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2");
        assert_eq!(Level::named("avx2").is_some(), bits && is_x86_feature_detected!("avx2"));
        assert_eq!(Level::named("avx512").is_some(), bits && avx512);
    }
}

struct Side {
    slots: Slots,
    index: TrieIndex,
}

impl Side {
    fn new(level: Level, tables: &Tables) -> Self {
        let mut slots = Slots::default();
        slots.read_with(level);
        Self { slots, index: TrieIndex::new(&tables.trie()) }
    }

    /// The error, or every slot with what it is a part of, and the duplicates.
    fn read(&mut self, text: &str, tables: &Tables, limits: &Limits) -> Result<String, EventError> {
        self.slots.read(text.as_bytes(), &tables.trie(), &self.index, limits)?;
        let mut out = String::new();
        for slot in 0..PATHS.len() {
            let _ = match self.slots.get(slot as u32, text.as_bytes(), &tables.trie()) {
                Item::Array(part) | Item::Object(part) => write!(out, "{part}|"),
                item => write!(out, "{item:?}|"),
            };
        }
        let twice = self.slots.check_duplicates(text.as_bytes(), &tables.trie(), &tables.all_nodes(), &[]);
        let _ = write!(out, "{twice:?}");
        Ok(out)
    }
}

fn levels() -> Vec<Level> {
    let levels: Vec<Level> = ["avx2", "avx512"].into_iter().filter_map(Level::named).collect();
    if levels.is_empty() {
        eprintln!("skipped: this processor has neither AVX2 nor AVX-512");
    }
    levels
}

/// `HOOKC_TEXTS` texts, a third of them as generated.
#[test]
fn every_level_reads_as_the_portable_one() {
    let texts: usize = std::env::var("HOOKC_TEXTS")
        .ok()
        .map_or(amount(hookc_corpus::effort(60_000, 10_000), 120), |n| n.parse().unwrap());
    let tables = Tables::new(PATHS);
    let mut limits = Limits::default();
    limits.event_depth = 9;
    let mut portable = Side::new(Level::named("portable").unwrap(), &tables);
    let mut sides: Vec<(Level, Side)> =
        levels().into_iter().map(|level| (level, Side::new(level, &tables))).collect();
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let (mut text, mut valid) = (String::new(), 0);
    for number in 0..texts {
        if number.is_multiple_of(3) {
            text.clear();
            text.push_str(rng.pick(SPACES));
            object(&mut rng, 0, &mut text);
            text.push_str(rng.pick(SPACES));
        }
        let text = if number.is_multiple_of(3) { text.clone() } else { mutated(&mut rng, &text) };
        let expected = portable.read(&text, &tables, &limits);
        valid += usize::from(expected.is_ok());
        for (level, side) in &mut sides {
            assert_eq!(side.read(&text, &tables, &limits), expected, "{level:?}: {text}");
        }
    }
    assert!(valid > texts / 4 && valid < texts * 3 / 4, "{valid} of {texts} are valid");
}

/// Each position of each byte in blocks of 64.
/// Calls `texts` for each level, with a function that compares how the level and the portable scanner read a text,
/// and returns whether they accept it.
fn every_level_reads_as_the_portable(texts: impl Fn(&mut dyn FnMut(&str) -> bool)) {
    let tables = Tables::new(PATHS);
    let limits = Limits::default();
    let mut portable = Side::new(Level::named("portable").unwrap(), &tables);
    for level in levels() {
        let mut side = Side::new(level, &tables);
        texts(&mut |text| {
            let expected = portable.read(text, &tables, &limits);
            assert_eq!(side.read(text, &tables, &limits), expected, "{level:?}: {text}");
            expected.is_ok()
        });
    }
}

#[test]
fn every_byte_at_every_position_of_two_blocks() {
    let step = amount(1, 16);
    every_level_reads_as_the_portable(|read| {
        let filled = |inner: &str| format!("{{\"a\":{inner}}}");
        let strings = filled(&format!("\"{}\",\"n\":1", "x".repeat(140)));
        let arrays = filled(&format!("[{}1]", "1,".repeat(60)));
        let spaces = filled(&format!("{}1{}", " ".repeat(66), " ".repeat(66)));
        // More members than there are tokens in a block, so that keys are at its end too.
        let objects = format!("{{{}\"n\":[]}}", "\"a\":1,\"l\":\"x\",".repeat(12));
        for text in [strings, arrays, spaces, objects] {
            for at in (0..text.len()).step_by(amount(1, 7)) {
                for byte in (0..128_u8).skip(at % step).step_by(step) {
                    let mut bytes = text.clone().into_bytes();
                    bytes[at] = byte;
                    let text = String::from_utf8(bytes).unwrap();
                    read(&text);
                }
            }
        }
    });
}

/// Long strings with one escape, at each position of three blocks, with and without an extra quote.
#[test]
fn an_escape_at_every_position() {
    every_level_reads_as_the_portable(|read| {
        for before in (0..190).step_by(amount(1, 61)) {
            for after in [0, 1, 58, 59, 60, 61, 62, 63, 64, 65, 66, 126, 127, 128, 150] {
                for (escape, end) in
                    [("\\n", ""), ("\\\\", ""), ("\\\"", ""), ("\\n", "\"x"), ("\\u0041", "\"x")]
                {
                    let (before, after) = ("x".repeat(before), "y".repeat(after));
                    let text = format!("{{\"a\":\"{before}{escape}{after}{end}\"}}");
                    assert_eq!(read(&text), end.is_empty(), "{text}");
                }
            }
        }
    });
}

/// Whitespace around scalars only, in strings of every length up to two blocks.
#[test]
fn spaces_around_scalars() {
    every_level_reads_as_the_portable(|read| {
        for length in (0..140).step_by(amount(1, 13)) {
            let long = "x".repeat(length);
            for text in [
                format!("{{\"a\" :\"{long}\" }}"),
                format!("{{\"a\":\"{long}\" }}"),
                format!("{{\"a\" :\"{long}\"}}"),
                format!("{{\"l\" :[1 ,\"{long}\" ,2 ] }}"),
                format!("{{ \"l\": [ 1, \"{long}\"]}}"),
                format!("{{\"n\" :7 ,\"a\" :\"{long}\" }}"),
            ] {
                assert!(read(&text), "{text}");
            }
        }
    });
}

/// A byte that is not UTF-8 is found at every position, and text that is not ASCII is read.
#[test]
fn every_position_of_other_bytes() {
    let tables = Tables::new(PATHS);
    let limits = Limits::default();
    let index = TrieIndex::new(&tables.trie());
    for level in levels().into_iter().chain(Level::named("portable")) {
        let mut slots = Slots::default();
        slots.read_with(level);
        for length in [2, 40, 54, 55, 56, 57, 58, 120, 200] {
            let text = format!("{{\"a\":\"{}\"}}", "x".repeat(length));
            for at in (6..text.len() - 3).step_by(amount(1, 9)) {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = 0xc3;
                let error = slots.read(&bytes, &tables.trie(), &index, &limits).unwrap_err();
                assert_eq!(error, EventError::Utf8(at), "{level:?}: {length}");
                bytes[at + 1] = 0xa9;
                slots.read(&bytes, &tables.trie(), &index, &limits).unwrap();
                assert!(
                    matches!(slots.get(0, &bytes, &tables.trie()), Item::Str(text) if text.contains('é'))
                );
            }
        }
    }
}

/// Numbers and words between every two tokens, and at the end of the text.
#[test]
fn every_short_scalar() {
    let tables = Tables::new(PATHS);
    let limits = Limits::default();
    let mut portable = Side::new(Level::named("portable").unwrap(), &tables);
    let mut scalars = vec![String::new()];
    for length in 0..amount(4, 2) {
        let longer = scalars.iter().filter(|scalar| scalar.len() == length);
        let longer = longer.flat_map(|scalar| "019.-+eE tn".chars().map(move |c| format!("{scalar}{c}")));
        scalars.extend(longer.collect::<Vec<_>>());
    }
    scalars
        .extend(["12345678", "1234.678", "0.345678", "01.45678", "-1234567", "123456789"].map(str::to_owned));
    scalars.extend(
        ["true", "false", "null", "truefals", "nulll", "fals", "true\0", "false\0\0", "\0null", "\u{b1}2"]
            .map(str::to_owned),
    );
    // A byte other than a digit at each place, and bytes that are all alike.
    for (byte, length) in
        (0..128_u8).step_by(amount(1, 16)).flat_map(|byte| (1..10).map(move |length| (byte, length)))
    {
        let scalar = |of: &dyn Fn(usize) -> u8| String::from_utf8((0..length).map(of).collect()).unwrap();
        scalars.extend((0..length).map(|at| scalar(&|place| if place == at { byte } else { b'1' })));
        scalars.push(scalar(&|_| byte));
        scalars.push(scalar(&|place| if place == 0 { b'-' } else { byte }));
    }
    let mut rng = Rng(0x2545_f491_4f6c_dd1d);
    scalars.extend((0..amount(5_000, 20)).map(|_| {
        let pieces = 2 + rng.below(8);
        let pieces = (0..pieces)
            .map(|_| rng.pick(&["0", "1", "7", "28", "345", ".", "-", "e", "E", "true", "\u{c6}"]));
        pieces.collect::<String>()
    }));
    for level in levels() {
        let mut side = Side::new(level, &tables);
        for scalar in &scalars {
            for text in [format!("{{\"a\":{scalar}}}"), format!("{{\"l\":[\"text\",{scalar},2]}}")] {
                let expected = portable.read(&text, &tables, &limits);
                assert_eq!(side.read(&text, &tables, &limits), expected, "{level:?}: {text}");
            }
        }
    }
}

/// Deep, long and dense texts, at their limits.
#[test]
fn large_texts() {
    let tables = Tables::new(PATHS);
    let limits = Limits::default();
    let mut portable = Side::new(Level::named("portable").unwrap(), &tables);
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let texts = [
        nested(126),
        nested(127),
        nested(128),
        format!("{{\"a\":[{}1]}}", "1,".repeat(amount(200_000, 70_000))),
        format!("{{\"a\":[{}\"\"]}}", format!("\"{}\",", "x".repeat(50)).repeat(amount(10_000, 200))),
        format!("{{\"a\":\"{}\"}}", "\\n".repeat(amount(200_000, 2_000))),
        format!("{{\"a\":\"{}\"", "x".repeat(amount(400_000, 4_000))),
        format!("{{\"a\":\"{}\"}}", "\\".repeat(amount(4_001, 1_001))),
        format!("{}{{}}{}", " ".repeat(amount(300_000, 3_000)), "\n".repeat(amount(300_000, 3_000))),
    ];
    for level in levels() {
        let mut side = Side::new(level, &tables);
        for text in &texts {
            let same = side.read(text, &tables, &limits) == portable.read(text, &tables, &limits);
            assert!(same, "{level:?}: {} bytes: {}", text.len(), &text[..40.min(text.len())]);
        }
    }
}

/// Times per event. `cargo test --release -p hookc-vm --test main tokens::how_long -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn how_long() {
    let tables = Tables::new(PATHS);
    let limits = Limits::default();
    let step = r#"{"step":3,"name":"request","ok":true,"ms":12.5,"tags":["a","was not"],"note":"upstream closed its"}"#;
    let event = |steps: usize| {
        let history = vec![step; steps].join(",");
        format!(
            r#"{{"event":{{"type":"error","timestamp":"2026-11-21T10:00:00Z","thread_id":"t-81723","directive":"team/directive_17"}},"error":{{"type":"http","code":"http_503","message":"the request was not finished in time upstream closed its connection"}},"tool_name":"Bash","tool_input":{{"command":"git push --force origin main","description":"the request was not finished","timeout":12345}},"classification":{{"category":"transient","retryable":true,"confidence":0.25}},"turn_number":17,"cost":{{"spend":0.25,"tokens":1234}},"history":[{history}]}}"#
        )
    };
    for steps in [3, 95, 1000] {
        let text = event(steps);
        print!("{:>7} bytes:", text.len());
        for name in ["portable", "avx2", "avx512"] {
            let Some(level) = Level::named(name) else { continue };
            let mut side = Side::new(level, &tables);
            let rounds = 20_000_000 / text.len();
            let mut best = f64::MAX;
            for _ in 0..9 {
                let start = std::time::Instant::now();
                for _ in 0..rounds / 9 {
                    side.slots
                        .read(std::hint::black_box(text.as_bytes()), &tables.trie(), &side.index, &limits)
                        .unwrap();
                }
                best = best.min(start.elapsed().as_secs_f64() / (rounds / 9) as f64);
            }
            print!("  {name} {:.0} ns", best * 1e9);
        }
        println!();
    }
}

/// Names of every length, and names that begin and end alike: a key leads to its own node, at any distance
/// from the start and the end of the text, and with an escape in it.
#[test]
fn names_of_every_length() {
    const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    let lengths = || (1..40).step_by(amount(1, 5));
    let whole = lengths().map(|length| ALPHABET[..length].to_owned());
    let twins = lengths().flat_map(|length| {
        [0, length / 2, length - 1].map(|at| {
            let mut name = ALPHABET[..length].to_owned().into_bytes();
            name[at] = b'-';
            String::from_utf8(name).unwrap()
        })
    });
    let mut names: Vec<String> = whole.chain(twins).collect();
    names.sort();
    names.dedup();
    let read: Vec<&str> = names.iter().step_by(2).map(String::as_str).collect();
    let unread: Vec<&str> = names.iter().skip(1).step_by(2).map(String::as_str).collect();
    let tables = Tables::new(&read);
    let limits = Limits::default();
    for level in levels().into_iter().chain(Level::named("portable")) {
        let mut side = Side::new(level, &tables);
        for (at, name) in read.iter().chain(&unread).enumerate() {
            let escaped = format!("\\u{:04x}{}", name.as_bytes()[0], &name[1..]);
            let texts = [
                format!("{{\"{name}\":1}}"),
                format!("{{\"{name}\":1,\"behind\":\"a longer text\"}}"),
                format!("   {{\"before\":\"a longer text\",\"{name}\" : 1}}"),
                format!("{{\"{escaped}\":1}}"),
            ];
            for text in texts {
                side.slots.read(text.as_bytes(), &tables.trie(), &side.index, &limits).unwrap();
                let found = (0..read.len()).filter(|slot| {
                    !matches!(side.slots.get(*slot as u32, text.as_bytes(), &tables.trie()), Item::Absent)
                });
                let expected: Vec<usize> = (at < read.len()).then_some(at).into_iter().collect();
                assert_eq!(found.collect::<Vec<_>>(), expected, "{level:?}: {text}");
            }
        }
    }
}

/// A key of another length than a name is another key, even if the index holds almost the same of both. Hashes are
/// random, so that many indexes are made.
#[test]
fn names_of_other_lengths_and_other_nodes() {
    let tables = Tables::new(&["aaaaaaaa", "c234567823456789", "none", "other.inner.x"]);
    let limits = Limits::default();
    let absent = [
        // One bit and one byte more.
        r#"{"`aaaaaaaa":1}"#,
        r#"{"b2345678X23456789":1}"#,
        // What has no members in the policy, before the node of another object.
        r#"{"none":{"inner":{"x":1},"x":2},"aaaaaaaa1":{"inner":{"x":1}}}"#,
        r#"{"other":{"inner":{"y":{"x":1}},"x":2}}"#,
        r#"{"inner":{"x":1},"x":2}"#,
    ];
    for level in levels().into_iter().chain(Level::named("portable")) {
        for _ in 0..amount(100, 5) {
            let mut side = Side::new(level, &tables);
            for text in absent {
                side.slots.read(text.as_bytes(), &tables.trie(), &side.index, &limits).unwrap();
                for slot in [0, 1, 3] {
                    assert!(
                        matches!(side.slots.get(slot, text.as_bytes(), &tables.trie()), Item::Absent),
                        "{level:?}: {text}"
                    );
                }
            }
        }
    }
}
