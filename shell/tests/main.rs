//! The reader of command lines: all tests of the crate in one binary, which links once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests"
)]

use std::time::{Duration, Instant};

use hookc_shell::limits;
use hookc_shell::programs::Programs;
use hookc_shell::units::{Line, Unit, read};
use hookc_shell::{Cause, Wrapper, view};

use hookc_corpus::amount;
use proptest::prelude::ProptestConfig;

mod argv;
mod effects;
mod generator;
mod growth;
mod members;
mod named;
mod parse;
mod programs;
mod properties;
mod syntax;
mod timing;
mod typed;
mod views;

/// A property is tested with so many cases, with a fourth of them in a short run, or with few under Miri.
fn cases(count: usize) -> ProptestConfig {
    let count = hookc_corpus::effort(count, count / 4);
    let failure_persistence = if cfg!(miri) { None } else { ProptestConfig::default().failure_persistence };
    ProptestConfig { cases: amount(count, 3) as u32, failure_persistence, ..ProptestConfig::default() }
}

/// The content of a line, as documented in the corpus.
fn shown(line: &str) -> String {
    let char = |unit: &Unit| match unit {
        Unit::Char(char) | Unit::Glob(char) => *char,
        Unit::Unknown => '◦',
    };
    match read(line) {
        Err(problem) => format!("! {}", problem.cause),
        Ok(Line { commands, .. }) => {
            let words = |words: &[Vec<Unit>]| {
                words
                    .iter()
                    .map(|word| word.iter().map(char).collect::<String>())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let all = commands.iter().map(|command| words(&command.words)).filter(|text| !text.is_empty());
            format!("> {}", all.collect::<Vec<_>>().join(" | ")).trim_end().to_owned()
        }
    }
}

fn corpus() -> Vec<(String, String)> {
    let text = include_str!("commands.txt");
    let lines: Vec<&str> = text.lines().collect();
    let cases = lines.windows(2).filter_map(|two| Some((two[0].strip_prefix("$ ")?, two[1])));
    cases.map(|(line, expected)| (line.replace('⏎', "\n"), expected.replace('⏎', "\n"))).collect()
}

#[test]
fn the_commands_of_each_line() {
    let all = corpus();
    assert!(all.len() >= 200, "{}", all.len());
    if std::env::var_os("BLESS").is_some() {
        bless();
        return;
    }
    let wrong = |(line, expected): &(String, String)| {
        let shown = shown(line);
        (shown != expected.trim_end()).then(|| format!("{line}\n  {shown}\n  {expected}"))
    };
    assert_eq!(all.iter().step_by(amount(1, 8)).filter_map(wrong).collect::<Vec<_>>(), [""; 0]);
}

/// `bash -n` parses and executes nothing.
#[test]
#[cfg_attr(miri, ignore = "Miri starts no process")]
fn bash_accepts_the_same_lines() {
    if syntax::bash("true").is_err() {
        eprintln!("skipped: there is no bash");
        return;
    }
    for (line, _) in corpus() {
        let sound = match read(&line) {
            Ok(_) => true,
            // These are lines for bash, and are knowingly not read.
            Err(problem) if problem.cause == Cause::Ambiguous => continue,
            Err(_) => false,
        };
        assert_eq!(sound, syntax::bash(&line).unwrap(), "{line}");
    }
}

#[test]
fn limits_are_kept() {
    let cause = |text: String| read(&text).map(|_| ()).map_err(|problem| problem.cause);
    assert_eq!(cause("x".repeat(limits::SHELL_BYTES)), Ok(()));
    assert_eq!(cause("x".repeat(limits::SHELL_BYTES + 1)), Err(Cause::TooLong));
    assert_eq!(cause("x;".repeat(limits::SHELL_COMMANDS)), Ok(()));
    assert_eq!(cause("x;".repeat(limits::SHELL_COMMANDS + 1)), Err(Cause::TooManyCommands));
    let nested = |n: usize| format!("{}x{}", " (".repeat(n), ")".repeat(n));
    assert_eq!(cause(nested(limits::SHELL_DEPTH)), Ok(()));
    assert_eq!(cause(nested(limits::SHELL_DEPTH + 1)), Err(Cause::TooDeep));
    assert_eq!(cause("a\0b".to_owned()), Err(Cause::Nul));
    let line = read("echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").unwrap();
    assert_eq!(line.commands[0].words[1..], [vec![Unit::Unknown]]);
    // Functions that call functions, loops in loops.
    let calls: String = (1..12).map(|n| format!("f{n}() {{ f{m}; f{m}; }}; ", m = n - 1)).collect();
    assert_eq!(cause(format!("f0() {{ x; }}; {calls} f11")), Err(Cause::TooManyCommands));
}

/// Writes what is shown now.
fn bless() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands.txt");
    let (mut new, mut line) = (String::new(), None::<String>);
    for own in include_str!("commands.txt").lines() {
        match (line.take(), own.strip_prefix("$ ")) {
            (Some(line), None) => {
                new.push_str(shown(&line).replace('\n', "⏎").trim_end());
            }
            (_, next) => {
                line = next.map(|line| line.replace('⏎', "\n"));
                new.push_str(own);
            }
        }
        new.push('\n');
    }
    std::fs::write(path, new).unwrap();
}

#[test]
fn the_view_of_each_line() {
    views::check();
}

#[test]
fn the_view_of_each_line_of_the_corpora() {
    views::check_corpora();
}

#[test]
fn every_entry_of_the_tables() {
    programs::check();
}

/// Fragments that are expensive in large numbers.
const SHAPES: &[&str] = &[
    "(",
    "$(",
    "`",
    "\\`",
    "${x:-",
    "\"$(",
    "((",
    "$((",
    "{",
    "{a,",
    "{a,b}",
    "a=(",
    "a[",
    "<<E ",
    "<<E\n",
    "case x in x) ",
    "if ",
    "[[ ",
    "'",
    "\"",
    "\\",
    "&& ",
    "x&",
    "x;",
    "#",
    "{fd}>",
    "$[",
    "<(",
    "f() { ",
    "function f ",
    "[",
    "a{b,c}d ",
    "=",
    "a=",
    "]",
    "))",
    "$'\\x",
    "${",
    "${x@P}",
    "!",
    "time ",
    "coproc ",
    "! time ",
    "<<'E'",
    "{{",
    "{a..",
    "for x in ",
    "a.b",
    "a.b=",
    "x\\\n",
    "é",
    "$(case x in ",
    "{,}",
    "${a[",
    "$((a[",
    "cat <<E\n$(\nE\n",
    "a=(b ",
    "alias g=git;",
    "\t",
    "\n",
    "x <<E\\\n",
    "{a,b}{c,d} ",
    "\"${x#'",
    "for i in a b c; do ",
    "x=$x$x;",
    "a=1 && ",
    "eval 'x'; ",
    "f() { f; f; }; f;",
    "bash -c 'x';",
    "while x; do ",
    "echo x | bash;",
    "x | ",
    "cd a; ",
    "curl x | bash; ",
];

#[test]
#[cfg_attr(miri, ignore = "a measurement of time")]
fn hostile_lines_take_linear_time() {
    let took = |text: &str| {
        let once = || {
            let started = Instant::now();
            let _ = std::hint::black_box(view(text, Some("/a/b"), Default::default()));
            started.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    for shape in SHAPES {
        // Eight times the text: sixty-four times the time would be quadratic. A busy machine can
        // distort one measurement but not all of them.
        let times = || [8, 64].map(|size| took(&shape.repeat((size << 10) / shape.len())));
        let is_linear = |[few, many]: [Duration; 2]| many < few * 24 + Duration::from_millis(40);
        assert!((0..10).any(|_| is_linear(times())), "{shape:?}: {:?}", times());
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }
}

#[test]
fn any_text_is_read_or_has_a_problem() {
    let programs = Programs::new(vec![Wrapper::new("x")], Vec::new()).unwrap();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let corpus = corpus();
    for round in 0..amount(20_000, 24) {
        let mut text = String::new();
        for _ in 0..random.below(40) {
            match (round % 3, random.below(10)) {
                (0, _) => {
                    text.push(char::from_u32(u32::try_from(random.below(0x250)).unwrap()).unwrap_or(' '))
                }
                (_, 0..5) => text.push_str(SHAPES[random.below(SHAPES.len())]),
                (_, 5..7) => {
                    text.push_str(["x", " ", "; ", "\n", "done", "fi", "}", ")", "esac"][random.below(9)])
                }
                _ => {
                    let (line, _) = &corpus[random.below(corpus.len())];
                    let chars: Vec<char> = line.chars().collect();
                    let from = random.below(chars.len() + 1);
                    text.extend(&chars[from..]);
                }
            }
        }
        serde_json::from_str::<serde_json::Value>(&view(&text, Some("/a"), &programs)).unwrap();
        match read(&text) {
            Ok(line) => {
                let units: usize =
                    line.commands.iter().flat_map(|command| &command.words).map(Vec::len).sum();
                assert!(units <= limits::SHELL_STEPS * 8, "{text:?}");
                assert!(line.commands.len() <= limits::SHELL_COMMANDS, "{text:?}");
            }
            Err(problem) => assert!(problem.at <= text.len(), "{text:?}: {problem:?}"),
        }
    }
}

/// `cargo test --release -p hookc-shell --test main -- --ignored --nocapture`
#[test]
#[ignore = "takes time, and prints it"]
fn how_long_it_takes() {
    timing::print();
}
