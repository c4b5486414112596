//! `hookc fmt` over random policies in random style: keys in any order, any quotes, brackets or
//! lines, comments and empty lines anywhere. The formatted file has the same meaning, formatting it
//! again changes nothing, and no comment is lost.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "tests"
)]

use crate::common;

use hookc_compiler::Dialect;
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_schema::SourceId;
use hookc_schema::diag::render;
use hookc_schema::tree::Layer;
use hookc_schema::value::{Kind, Member, Value};
use hookc_syntax::front::yaml;
use hookc_syntax::{fmt, write};

/// Policies of each test; `HOOKC_POLICIES=20000` makes it a long run.
fn policies() -> u64 {
    std::env::var("HOOKC_POLICIES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

fn module(text: &str) -> Vec<u8> {
    let texts = [(text.to_owned(), Layer::Directive)];
    common::build(&texts, Dialect::HooksYaml, false, true).unwrap_or_else(|why| panic!("{why}\n{text}")).bytes
}

fn format(seed: u64, text: &str) -> String {
    hookc_compiler::format("policy", text).unwrap_or_else(|(sources, told)| {
        let laid = fmt::canonical(text).unwrap_or_default();
        let same = fmt::same_value(text, &laid);
        panic!(
            "seed {seed}: the same value: {same}; {}\n{text}\n---\n{laid}",
            render::text::render(&told, &sources)
        )
    })
}

fn written(seed: u64, rng: &mut Rng) -> String {
    let (policy, _) = generate::policies(rng, Shape { plain: false, hooks: 6 }).swap_remove(0);
    let (text, losses) = write::hooks_yaml::write(&policy);
    assert!(losses.is_empty(), "seed {seed}");
    text
}

#[test]
fn converted_files_are_formatted() {
    for seed in 0..policies() {
        let text = written(seed, &mut Rng::new(seed));
        assert_eq!(format(seed, &text), text, "seed {seed}");
    }
}

#[test]
fn any_handwriting_keeps_its_meaning_and_its_comments() {
    for seed in 0..policies() {
        let mut rng = Rng::new(seed);
        let plain = written(seed, &mut rng);
        let value = yaml::read(&plain, SourceId(0), &mut Vec::new()).unwrap();
        let mut hand = Hand { rng, out: String::new(), comments: 0 };
        hand.block(&value, 0);
        hand.noise();
        let (text, comments) = (hand.out, hand.comments);
        assert_eq!(fmt::comments(&text), Some(comments), "seed {seed}: the comments that are seen\n{text}");
        let once = format(seed, &text);
        assert!(module(&once) == module(&plain), "seed {seed}: another module\n{text}\n---\n{once}");
        assert_eq!(fmt::comments(&once), Some(comments), "seed {seed}: comments\n{text}\n---\n{once}");
        assert_eq!(format(seed, &once), once, "seed {seed}: the second time\n{text}");
    }
}

/// Writes values in ways that people do.
struct Hand {
    rng: Rng,
    out: String,
    comments: usize,
}

impl Hand {
    fn comment(&mut self) {
        self.comments += 1;
        let text = format!("# {}", self.comments);
        self.out.push_str(&text);
    }

    fn spaces(&mut self, count: usize) {
        self.out.push_str(&" ".repeat(count));
    }

    /// Lines between entries.
    fn noise(&mut self) {
        while self.rng.chance(15) {
            let indent = self.rng.below(12);
            self.spaces(indent);
            if self.rng.chance(60) {
                self.comment();
            }
            self.out.push('\n');
        }
    }

    fn end(&mut self) {
        if self.rng.chance(10) {
            self.spaces(1);
            self.comment();
        }
        self.out.push('\n');
    }

    /// A mapping or list in lines, from the start of a line.
    fn block(&mut self, value: &Value, indent: usize) {
        match &value.kind {
            Kind::Map(members) => self.members(members, indent, false),
            Kind::Seq(items) => self.items(items, indent, false),
            _ => panic!("no collection"),
        }
    }

    /// `inline`: the first line has begun.
    fn members(&mut self, members: &[Member], indent: usize, inline: bool) {
        let mut order: Vec<&Member> = members.iter().collect();
        if self.rng.chance(50) {
            for at in (1..order.len()).rev() {
                order.swap(at, self.rng.below(at + 1));
            }
        }
        for (at, member) in order.into_iter().enumerate() {
            if at > 0 || !inline {
                self.noise();
                self.spaces(indent);
            }
            self.string(&member.key.node, false);
            self.out.push(':');
            self.value(&member.value, indent, true);
        }
    }

    fn items(&mut self, items: &[Value], indent: usize, inline: bool) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 || !inline {
                self.noise();
                self.spaces(indent);
            }
            self.out.push('-');
            let compact = self.rng.chance(70);
            match &item.kind {
                Kind::Map(members) if !members.is_empty() && compact => {
                    self.spaces(1);
                    self.members(members, indent + 2, true);
                }
                Kind::Seq(inner) if !inner.is_empty() && compact => {
                    self.spaces(1);
                    self.items(inner, indent + 2, true);
                }
                _ => self.value(item, indent, false),
            }
        }
    }

    /// After a colon or a dash.
    fn value(&mut self, value: &Value, indent: usize, key: bool) {
        let step = 1 + self.rng.below(4);
        let empty = match &value.kind {
            Kind::Map(members) => members.is_empty(),
            Kind::Seq(items) => items.is_empty(),
            _ => true,
        };
        if empty || self.rng.chance(20) {
            self.spaces(1);
            self.flow(value, indent + 1);
            return self.end();
        }
        self.end();
        let same = key && matches!(value.kind, Kind::Seq(_)) && self.rng.chance(30);
        self.block(value, if same { indent } else { indent + step });
    }

    /// White space within brackets.
    fn gap(&mut self, indent: usize) {
        if self.rng.chance(10) {
            self.spaces(1);
            if self.rng.chance(30) {
                self.comment();
            }
            self.out.push('\n');
            self.noise();
            let more = self.rng.below(4);
            self.spaces(indent + more);
        }
    }

    fn flow(&mut self, value: &Value, indent: usize) {
        match &value.kind {
            Kind::Null => self.word(&["null", "~", "Null"]),
            Kind::Bool(true) => self.word(&["true", "True", "TRUE"]),
            Kind::Bool(false) => self.word(&["false", "False"]),
            Kind::Num(number) => self.out.push_str(&number.0),
            Kind::Str(text) => self.string(&text.value, true),
            Kind::Seq(items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    self.comma(at, indent);
                    self.flow(item, indent);
                }
                self.gap(indent);
                self.out.push(']');
            }
            Kind::Map(members) => {
                self.out.push('{');
                for (at, member) in members.iter().enumerate() {
                    self.comma(at, indent);
                    self.string(&member.key.node, false);
                    self.out.push_str(": ");
                    self.gap(indent);
                    self.flow(&member.value, indent);
                }
                self.gap(indent);
                self.out.push('}');
            }
        }
    }

    fn comma(&mut self, at: usize, indent: usize) {
        if at > 0 {
            self.gap(indent);
            self.out.push(',');
            let spaces = self.rng.below(2);
            self.spaces(spaces);
        }
        self.gap(indent);
    }

    fn word(&mut self, words: &[&str]) {
        let word = self.rng.pick(words);
        self.out.push_str(word);
    }

    fn string(&mut self, text: &str, folds: bool) {
        let words = ["true", "false", "null", "no", "on"];
        let safe = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !words.contains(&text.to_ascii_lowercase().as_str());
        if safe && self.rng.chance(60) {
            return self.out.push_str(text);
        }
        let line = |c: char| {
            !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        };
        if text.chars().all(line) && self.rng.chance(50) {
            let quoted = text.replace('\'', "''");
            return self.out.push_str(&format!("'{quoted}'"));
        }
        self.out.push('"');
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '"' | '\\' => self.out.extend(['\\', c]),
                c if line(c) => self.out.push(c),
                c => self.out.push_str(&format!("\\u{:04x}", u32::from(c))),
            }
            if folds && rest.peek() != Some(&' ') && self.rng.chance(2) {
                // A line that is only broken in the source.
                self.out.push('\\');
                self.out.push('\n');
                self.spaces(30);
            }
        }
        self.out.push('"');
    }
}
