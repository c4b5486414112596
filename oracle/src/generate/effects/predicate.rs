//! Predicates, with patterns near the words of a line.

use super::{BRANCHES, HOSTS, OPEN, PACKAGES, PATHS, VARIABLES};
use crate::effects::{Guard, Predicate, Rows, SetSource, Sets, Verb};
use crate::generate::Rng;

const VERBS: &[Verb] = &[
    Verb::Run,
    Verb::Run,
    Verb::Read,
    Verb::Read,
    Verb::Write,
    Verb::Delete,
    Verb::Change,
    Verb::Contact,
    Verb::Send,
    Verb::Install,
    Verb::Push,
];

const PATH_PATTERNS: &[&str] = &[
    "**",
    "./**",
    "*.rs",
    "*.pem",
    "src/**",
    "~/**",
    "/etc/**",
    ".env*",
    "**/src/*",
    "*",
    "/**",
    "{a,x}.{rs,pem}",
    "[a-m]*",
    "?.rs",
    "src/*.rs",
    "~/.ssh/**",
    "**/.ssh/**",
    ".",
    "env:*",
    "env:TOKEN",
    "env:*KEN",
    "ref:main",
    "ref:*",
    "store:*",
    "@ours",
    "@nested",
    "../**",
    "/home/*/.ssh/*",
    ".*",
    "**/*.rs",
];

/// The sets that patterns name.
#[must_use]
pub fn sets() -> Sets {
    let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    let set = |of: &[&str], except: &[&str]| SetSource { of: texts(of), except: texts(except) };
    Sets::from([
        ("ours".to_owned(), set(&[".env*", "*.pem", "src/**"], &["test/**", "src/a/*"])),
        ("nested".to_owned(), set(&["@ours", "~/**"], &["**/x.rs"])),
        ("names".to_owned(), set(&["main", "release/*"], &[])),
        ("programs".to_owned(), set(&["git push", "{cat,head}", "curl -d"], &["git push --dry-run"])),
    ])
}

/// A predicate near a line.
pub fn predicate(rng: &mut Rng, line: &str, rows: &Rows) -> Predicate {
    match rng.below(10) {
        0..=2 => {
            let count = 1 + rng.below(3);
            Predicate::Only(
                (0..count)
                    .map(|_| Guard {
                        is_possible: false,
                        by: vec![],
                        not_by: vec![],
                        ..guard(rng, line, rows)
                    })
                    .collect(),
            )
        }
        3 => Predicate::Unknown,
        _ => Predicate::Guard(guard(rng, line, rows)),
    }
}

/// A guard near a line.
pub fn guard(rng: &mut Rng, line: &str, rows: &Rows) -> Guard {
    let verb = rng.pick(VERBS);
    let list = |rng: &mut Rng, count: usize| (0..count).map(|_| pattern(rng, verb, line)).collect::<Vec<_>>();
    let count = usize::from(verb == Verb::Run).max(rng.below(3));
    let of = list(rng, count);
    let except = if rng.chance(25) { list(rng, 1) } else { Vec::new() };
    let by = |rng: &mut Rng, percent: usize| {
        let has_commands = verb != Verb::Run && rng.chance(percent);
        has_commands.then(|| command(rng, line)).into_iter().collect::<Vec<_>>()
    };
    let _ = rows;
    Guard { verb, is_possible: rng.chance(40), of, except, by: by(rng, 10), not_by: by(rng, 10) }
}

fn pattern(rng: &mut Rng, verb: Verb, line: &str) -> String {
    match verb {
        Verb::Run => command(rng, line),
        Verb::Contact => match rng.below(4) {
            0 => rng
                .pick(&[
                    "*",
                    "*.example",
                    "@configured",
                    "registry:*",
                    "10.*",
                    "*.internal",
                    "{docs.rs,localhost}",
                ])
                .to_owned(),
            _ => rng.pick(HOSTS).to_owned(),
        },
        Verb::Install => match rng.below(3) {
            0 => rng.pick(&["*", "*://*", "npm:*", "cargo:serde", "\\@types/*"]).to_owned(),
            _ => rng.pick(PACKAGES).replace('@', "\\@").replace('$', ""),
        },
        Verb::Push => match rng.below(3) {
            0 => rng.pick(&["*", "release/*", "origin:*", "*:main", "@names", "up:@names"]).to_owned(),
            _ => rng.pick(BRANCHES).replace('$', ""),
        },
        _ => match rng.below(10) {
            0..=3 => rng.pick(PATHS).to_owned(),
            4 => rng.pick(OPEN).replace(['$', '(', ')'], ""),
            5 => format!("env:{}", rng.pick(VARIABLES)),
            6 => word(rng, line).unwrap_or_else(|| "*".to_owned()),
            _ => rng.pick(PATH_PATTERNS).to_owned(),
        },
    }
}

/// A word of the line, if it is one that a pattern can have.
fn word(rng: &mut Rng, line: &str) -> Option<String> {
    let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:+~".contains(c));
    let words: Vec<&str> = line.split_whitespace().filter(is_plain).collect();
    words.get(rng.below(words.len())).map(|word| (*word).to_owned())
}

/// A pattern of commands from words of the line.
fn command(rng: &mut Rng, line: &str) -> String {
    if rng.chance(6) {
        return rng
            .pick(&[
                "@programs",
                "*",
                "git push --force",
                "cat @ours",
                "* | sh",
                "find | *",
                "rm ^* !*",
                "$X",
            ])
            .to_owned();
    }
    let parts: Vec<&str> =
        line.split(['|', ';', '&', '\n', '(']).filter(|part| !part.trim().is_empty()).collect();
    let Some(part) = parts.get(rng.below(parts.len())) else { return "ls".to_owned() };
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:+~@".contains(c));
    let mut words = part.split_whitespace().filter(is_word).filter(|word| *word != "--");
    let Some(first) = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())) else {
        return "*".to_owned();
    };
    let first = if rng.chance(8) { "*" } else { first };
    let mut pattern = vec![first.to_owned()];
    if rng.chance(10) {
        pattern.insert(0, format!("{}={}", rng.pick(VARIABLES), rng.pick(&["*", "1", "y"])));
    }
    for word in words {
        let percent = if word.starts_with('-') { 45 } else { 60 };
        if rng.chance(percent) && !word.contains('@') && word != "-" {
            pattern.push(near(rng, word));
        }
    }
    if rng.chance(6) {
        pattern.push(
            rng.pick(&["!-f", "!--force", "!*", "!-*", "!main", "*", "$X", "/main/", "/SRC/i", "@ours"])
                .to_owned(),
        );
    }
    pattern.join(" ")
}

fn near(rng: &mut Rng, word: &str) -> String {
    if word.starts_with('-') {
        return word.to_owned();
    }
    match rng.below(8) {
        0 => format!("{}*", word.chars().take(2).collect::<String>()),
        1 => "*".to_owned(),
        2 => format!("{{{word},x}}"),
        3 => format!("./{}", word.trim_start_matches(['/', '~', '.'])),
        4 => word.to_uppercase(),
        _ => word.to_owned(),
    }
}
