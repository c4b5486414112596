//! Hooks files in random style: keys in any order, any quotes, brackets or lines, comments and
//! empty lines anywhere.

use hookc_schema::value::{Kind, Member, Value};

use super::Rng;

/// A mapping or list as YAML in random style, and the number of its comments.
///
/// # Panics
/// If the value is no collection.
#[must_use]
pub fn handwritten(rng: &mut Rng, value: &Value) -> (String, usize) {
    let mut hand = Hand { rng, out: String::new(), comments: 0 };
    hand.block(value, 0);
    hand.noise();
    (hand.out, hand.comments)
}

/// Writes values in ways that people do.
struct Hand<'r> {
    rng: &'r mut Rng,
    out: String,
    comments: usize,
}

impl Hand<'_> {
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
            #[allow(clippy::panic, reason = "a mistake of a test")]
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
