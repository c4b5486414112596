//! Conditions about earlier events: `formerly(edited since tested)`, `count(PreToolUse within 10m) >= 5`.

use std::collections::HashMap;

use hookc_schema::span::Spanned;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{
    CondKind, EventPattern, Extent, OutcomeWord, PartitionKey, Path, PathKind, Query, Recall, RecallOperator,
    Selection, UncomparedSpan,
};
use hookc_schema::{Code, Diagnostic};

use super::parser::{Parsed, Parser};
use super::token::Token;
use crate::expr::history::{self, FORMERLY, RECALLS, SCOPE};
use crate::expr::path::is_bare_char;
use crate::expr::reader::excerpt;

const SHAPE: &str =
    "write event types or a fact: `formerly(edited since tested)`, `count(PreToolUse within 10m)`";
const ORDER: &str = "the order is `EVENT where ... within ... since ... per ... including now`";

impl Parser<'_, '_> {
    /// Whether `formerly(` is next.
    pub(super) fn at_formerly(&self) -> bool {
        self.at_word(FORMERLY) && self.peek() == Token::Open
    }

    /// Whether a value of the history is next.
    pub(super) fn at_recall(&self) -> bool {
        self.token == Token::Name && RECALLS.contains(&self.written()) && self.peek() == Token::Open
    }

    /// Whether a word of a selection is next, which ends the condition before it.
    pub(super) fn at_scope(&self) -> bool {
        self.in_where && self.token == Token::Name && SCOPE.contains(&self.written())
    }

    /// `formerly(selection)`; the token is its word.
    pub(super) fn formerly(&mut self) -> Parsed<CondKind> {
        self.advance();
        let selection = self.in_selection(Self::selection)?;
        self.advance();
        Ok(CondKind::Formerly(selection.into()))
    }

    /// `count(selection)`, `last(2, selection).path`; the token is the word.
    pub(super) fn recall(&mut self) -> Parsed<Path> {
        let start = self.range.start;
        let word = self.written();
        self.advance();
        let (operator, selection) = self.in_selection(|parser| {
            let operator = parser.operator(word)?;
            Ok((operator, parser.selection()?))
        })?;
        let operator = match operator {
            RecallOperator::Last { nth, .. } => RecallOperator::Last { nth, rest: self.steps_after()? },
            other => {
                self.no_steps(word)?;
                other
            }
        };
        let text = self.reader.slice(start..self.last_end).into();
        let kind = PathKind::Recall(Box::new(Recall { operator, selection }));
        Ok(Path { span: self.since(start), text, kind })
    }

    /// What is between the parentheses that the token opens, up to the closing one.
    fn in_selection<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let opening = self.range.clone();
        self.advance();
        let outside =
            (std::mem::replace(&mut self.in_where, false), std::mem::replace(&mut self.in_history, true));
        let inside = self.deeper(opening.clone(), rule);
        let inside = match inside {
            Ok(inside) if self.token == Token::Close => Ok(inside),
            Ok(_) => {
                let wrong = self.no_end().also(self.reader.span(opening), "opened here");
                self.report(wrong);
                self.leave_parentheses()
            }
            Err(_) => self.leave_parentheses(),
        };
        (self.in_where, self.in_history) = outside;
        inside
    }

    /// What is before the selection of a value.
    fn operator(&mut self, word: &str) -> Parsed<RecallOperator> {
        Ok(match word {
            "sum" => RecallOperator::Sum(self.summed()?),
            "distinct" => RecallOperator::Distinct(self.tuple()?),
            "last" => RecallOperator::Last { nth: self.nth()?, rest: Query::default() },
            _ => RecallOperator::Count,
        })
    }

    fn summed(&mut self) -> Parsed<Path> {
        let path = self.past_path("sum")?;
        if self.token == Token::Comma {
            let wrong =
                self.expected("`of`").help("`sum` adds the numbers at one path: write a `sum` for each path");
            return self.give_up(wrong);
        }
        self.expect_of("sum", std::slice::from_ref(&path))?;
        Ok(path)
    }

    fn tuple(&mut self) -> Parsed<Vec<Path>> {
        let first = self.past_path("distinct")?;
        let mut paths = vec![first];
        while self.eat(Token::Comma) {
            paths.push(self.past_path("distinct")?);
        }
        self.expect_of("distinct", &paths)?;
        Ok(paths)
    }

    /// A path of the past event, before `of`.
    fn past_path(&mut self, word: &str) -> Parsed<Path> {
        if !matches!(self.token, Token::Name | Token::Dollar | Token::Bracket) || self.at_word("of") {
            let wrong = self.expected("a path of the past event");
            return self.give_up(wrong.help(format!("write `{word}(tool_input.path of PostToolUse)`")));
        }
        let path = self.path()?;
        if let Some(wrong) = history::no_value(&path, &format!("`{word}`")) {
            return self.give_up(wrong);
        }
        Ok(path)
    }

    fn expect_of(&mut self, word: &str, paths: &[Path]) -> Parsed<()> {
        if self.eat_word("of") {
            return Ok(());
        }
        let texts: Vec<_> = paths.iter().map(|path| excerpt(&path.text)).collect();
        let last = texts.last().map_or("", |text| &**text);
        let is_name = !last.contains(['.', '[', '$']);
        let rest = match self.token {
            Token::Close if is_name => Some(String::new()),
            Token::Name if is_name && history::is_word(self.written()) => {
                Some(format!(" {} ...", self.written()))
            }
            _ => None,
        };
        let wrong = self.expected("`of`, and the events");
        let help = match (rest, texts.split_last()) {
            (Some(rest), Some((events, []))) => {
                format!("write the path first: `{word}(tool_input.path of {events}{rest})`")
            }
            (Some(rest), Some((events, before))) => {
                format!("write `of` before the events: `{word}({} of {events}{rest})`", before.join(", "))
            }
            _ => format!("write `{word}({} of PostToolUse)`", texts.join(", ")),
        };
        self.give_up(wrong.help(help))
    }

    /// `2,` of `last(2, edited)`
    fn nth(&mut self) -> Parsed<Option<Spanned<u64>>> {
        if self.token != Token::Digit {
            return Ok(None);
        }
        let start = self.range.start;
        let text = self.read(|reader| Ok(reader.take_while(|c| is_bare_char(c) || c == '.').to_owned()))?;
        let span = self.since(start);
        let most = 1..=crate::limits::HISTORY_LAST;
        let Some(nth) = text.parse().ok().filter(|nth| most.contains(nth)) else {
            return self.give_up(history::no_nth(span, &text));
        };
        if !self.eat(Token::Comma) {
            let wrong = self.expected("`,` after the number");
            return self.give_up(wrong.help(format!("write `last({text}, PreToolUse)`")));
        }
        Ok(Some(Spanned::new(nth, span)))
    }

    /// The path after `last(...)`; the token is the closing parenthesis.
    fn steps_after(&mut self) -> Parsed<Query> {
        let end = self.range.end;
        self.read(|reader| {
            reader.at = end;
            reader.steps_after_recall()
        })
    }

    /// Rejects a path after a number; the token is the closing parenthesis.
    fn no_steps(&mut self, word: &str) -> Parsed<()> {
        let end = self.range.end;
        self.advance();
        if self.range.start == end && matches!(self.written(), "." | "[") {
            let wrong = self.wrong_here(format!("`{word}(...)` is a number, which has no members"));
            let wrong = wrong.with_label("expected an operator");
            return self.give_up(wrong.help(format!(
                "compare it: `{word}(...) >= 3`; for a value of the latest event, write `last(...)`"
            )));
        }
        Ok(())
    }

    /// A whole selection.
    fn selection(&mut self) -> Parsed<Selection> {
        let start = self.range.start;
        let of = self.event_pattern(true)?;
        let mut selection = Selection {
            span: UncomparedSpan::default(),
            of,
            within: None,
            since: None,
            per: None,
            including_now: None,
        };
        let mut read: Vec<(usize, Spanned<&str>)> = Vec::new();
        while let Some(at) = SCOPE.iter().position(|word| self.at_word(word)) {
            let word = Spanned::new(self.written(), self.here());
            if let Some((last, before)) = read.last().filter(|(last, _)| *last >= at) {
                let wrong = misplaced(&word, before, *last == at);
                self.report(wrong);
            }
            read.push((at, word));
            self.advance();
            self.scope(at, &mut selection)?;
        }
        selection.span = UncomparedSpan(self.since(start));
        Ok(selection)
    }

    /// What follows a word of [`SCOPE`].
    fn scope(&mut self, word: usize, selection: &mut Selection) -> Parsed<()> {
        match word {
            0 => selection.within = Some(self.within()?),
            1 => selection.since = Some(self.anchor()?),
            2 => selection.per = Some(self.per()?),
            _ => selection.including_now = Some(self.including_now()?),
        }
        Ok(())
    }

    fn within(&mut self) -> Parsed<Spanned<Extent>> {
        let start = self.range.start;
        if !matches!(self.token, Token::Digit | Token::Name) {
            let wrong = self.expected("a duration after `within`");
            return self.give_up(wrong.help("write `within 10m`, `within turn` or `within session`"));
        }
        let text = self.read(|reader| {
            reader.eat("-");
            reader.take_while(|c| is_bare_char(c) || c == '.');
            Ok(reader.slice(start..reader.at).to_owned())
        })?;
        let span = self.since(start);
        match history::extent(&text, span) {
            Ok(extent) => Ok(Spanned::new(extent, span)),
            Err(wrong) => self.give_up(*wrong),
        }
    }

    fn per(&mut self) -> Parsed<Spanned<PartitionKey>> {
        let key = PartitionKey::from_name(self.written()).map(|key| Spanned::new(key, self.here()));
        if let Some(key) = key {
            self.advance();
            return Ok(key);
        }
        let names = PartitionKey::ALL.iter().map(|key| key.name());
        let near = nearest(self.written(), names).filter(|_| self.token == Token::Name);
        let wrong = self.expected("`session`, `agent`, `project` or `user` after `per`");
        let wrong = wrong.did_you_mean(near, self.here());
        self.give_up(match near {
            Some(_) => wrong,
            None => wrong.help("for the value of a field, compare it: `where tool_name == now.tool_name`"),
        })
    }

    fn including_now(&mut self) -> Parsed<Spanned<()>> {
        let start = self.last_end.saturating_sub("including".len());
        if self.eat_word("now") {
            return Ok(Spanned::new((), self.since(start)));
        }
        let wrong = self.expected("`now` after `including`").help("write `including now`");
        self.give_up(wrong)
    }

    /// What follows `since`: one name, or a pattern in parentheses.
    fn anchor(&mut self) -> Parsed<EventPattern> {
        if self.token == Token::Open {
            let start = self.range.start;
            let mut anchor = self.in_selection(|parser| parser.event_pattern(false))?;
            self.advance();
            anchor.span = UncomparedSpan(self.since(start));
            return Ok(anchor);
        }
        let start = self.range.start;
        if self.outcome().is_some() {
            let word = self.written();
            let wrong = self.expected("an event type, a fact or `(` after `since`");
            return self
                .give_up(wrong.help(format!("put the pattern in parentheses: `since ({word} PreToolUse)`")));
        }
        let name = self.event_name("after `since`")?;
        let wrong = match self.token {
            Token::Comma => Some("put several event types in parentheses: `since (Stop, SessionStart)`"),
            Token::Name if self.written() == "where" => {
                Some("put the pattern in parentheses: `since (PostToolUse where ...)`")
            }
            _ => None,
        };
        if let Some(help) = wrong {
            let wrong = self.expected("`per`, `including now` or `)`").help(help);
            return self.give_up(wrong);
        }
        let span = UncomparedSpan(self.since(start));
        Ok(EventPattern { span, outcome: None, names: vec![name], condition: None })
    }

    /// `denied PreToolUse, Stop where condition`. If `has_scope`, the words of a selection can follow.
    fn event_pattern(&mut self, has_scope: bool) -> Parsed<EventPattern> {
        let start = self.range.start;
        let outcome = self.outcome();
        if outcome.is_some() {
            self.advance();
        }
        let after = outcome.as_ref().map_or(String::new(), |word| format!("after `{}`", word.node.name()));
        let mut names = vec![self.event_name(&after)?];
        self.no_outcome(&names)?;
        while self.eat(Token::Comma) {
            names.push(self.event_name("after the comma")?);
        }
        self.no_repetition(&names);
        let mut condition = None;
        if self.eat_word("where") {
            let before = std::mem::replace(&mut self.in_where, has_scope);
            let read = self.any_condition();
            self.in_where = before;
            condition = Some(read?);
        }
        let span = UncomparedSpan(self.since(start));
        Ok(EventPattern { span, outcome, names, condition })
    }

    /// Reports a verb in the place of the outcome word.
    fn no_outcome(&mut self, names: &[Spanned<String>]) -> Parsed<()> {
        let [name] = names else { return Ok(()) };
        let meant = match name.node.as_str() {
            "deny" | "block" | "blocked" => "denied",
            "ask" => "asked",
            "allow" => "allowed",
            "all" | "every" => "any",
            _ => return Ok(()),
        };
        if self.token != Token::Name || history::is_word(self.written()) {
            return Ok(());
        }
        let what = format!("expected an event type, a fact or an outcome, found `{}`", name.node);
        let wrong = Diagnostic::new(Code::E0302, name.span, what).with_label("not an outcome");
        let wrong = wrong.did_you_mean(Some(meant), name.span);
        self.give_up(wrong)
    }

    fn outcome(&self) -> Option<Spanned<OutcomeWord>> {
        let word =
            matches!(self.token, Token::Name | Token::Any).then(|| OutcomeWord::from_name(self.written()))?;
        word.map(|word| Spanned::new(word, self.here()))
    }

    /// The name of an event type or of a fact, or `*`.
    fn event_name(&mut self, after: &str) -> Parsed<Spanned<String>> {
        let start = self.range.start;
        if self.token == Token::Quote {
            let text = self.read(|reader| reader.string_text())?;
            let span = self.since(start);
            if let Some(wrong) = history::no_name(&text.value, span).filter(|_| text.value.is_empty()) {
                return self.give_up(wrong);
            }
            return Ok(Spanned::new(text.value, span));
        }
        let is_star = self.token == Token::Foreign && self.written() == "*";
        let is_word = history::is_word(self.written()) || super::is_reserved(self.written());
        if !is_star && (self.token != Token::Name || is_word) {
            let wrong = self.no_event(after, is_word);
            return self.give_up(wrong);
        }
        let name = Spanned::new(self.written().to_owned(), self.here());
        self.advance();
        if matches!(self.written(), "." | "[" | "(") && self.range.start == self.last_end {
            let wrong = self.no_path(&name.node);
            return self.give_up(wrong);
        }
        Ok(name)
    }

    fn no_event(&self, after: &str, is_word: bool) -> Diagnostic {
        let what = format!("an event type or a fact {after}");
        let wrong = self.expected(what.trim_end());
        let word = self.written();
        if self.token == Token::Not {
            return wrong.help("write `not` before the condition: `not formerly(...)`");
        }
        if self.token == Token::Digit {
            return wrong.help(match after {
                "after `since`" => "for a duration, write `within 10m`",
                "after the comma" => "the number comes first: `last(2, PreToolUse)`",
                _ => SHAPE,
            });
        }
        if is_word && self.token != Token::Close {
            return wrong
                .help(format!("write the event first; for an event of the name `{word}`, write `'{word}'`"));
        }
        wrong.help(SHAPE)
    }

    /// A path or a call in place of an event.
    fn no_path(&self, name: &str) -> Diagnostic {
        let what = if self.written() == "(" { "a call" } else { "a path" };
        let wrong = self
            .wrong_here(format!("{what} in place of an event"))
            .with_label("expected an event type or a fact");
        let name = excerpt(name);
        // Paths begin with a small letter, events of agents do not.
        wrong.help(match name.starts_with(|first: char| first.is_ascii_uppercase()) && what == "a path" {
            true => format!("write the path after the parentheses: `last({name}).tool_name`"),
            false => format!("write the event, then the condition: `PreToolUse where {name} ...`"),
        })
    }

    fn no_repetition(&mut self, names: &[Spanned<String>]) {
        let mut seen = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(name.node.as_str(), name.span) {
                let wrong = Diagnostic::new(
                    Code::E0212,
                    name.span,
                    format!("duplicate event `{}`", excerpt(&name.node)),
                );
                self.report(
                    wrong.with_label("again here").also(first, "first here").help("remove one of the two"),
                );
            }
        }
    }

    /// Something that cannot follow in a selection.
    fn no_end(&self) -> Diagnostic {
        if let Some(early) = self.reader.ended_early(self.last_end) {
            return early;
        }
        if self.at_word("where") {
            let wrong = self.wrong_here("`where` comes too late").with_label("after the events");
            return wrong.help(ORDER);
        }
        let wrong = self.expected("`where`, `within`, `since`, `per`, `including now` or `)`");
        match (self.token, self.written()) {
            (Token::Comma, _) => wrong.help("write `and` between two conditions"),
            (_, word) if OutcomeWord::from_name(word).is_some() => {
                wrong.help(format!("write `{word}` before the event: `{word} PreToolUse`"))
            }
            (Token::Name, word) if history::is_word(word) => wrong
                .help(format!("`{word}` is a part of the whole selection: write it after the parentheses")),
            (Token::Name | Token::Op(_), word) if history::meant(word).is_some() => {
                wrong.did_you_mean(history::meant(word), self.here())
            }
            (Token::Name, word) => match nearest(word, ["where", "within", "since", "per", "including"]) {
                Some(near) => wrong.did_you_mean(Some(near), self.here()),
                None => wrong.help("write `where` before a condition, and `,` between event types"),
            },
            (Token::And | Token::Or | Token::Op(_), _) => {
                wrong.help("write `where` before a condition, and `or` between two `formerly(...)`")
            }
            _ => wrong.help(ORDER),
        }
    }

    fn at_word(&self, word: &str) -> bool {
        self.token == Token::Name && self.written() == word
    }
}

/// A word of a selection after one that it has to precede, or again.
fn misplaced(word: &Spanned<&str>, before: &Spanned<&str>, is_same: bool) -> Diagnostic {
    let (this, other) = (word.node, before.node);
    let what = if is_same { format!("duplicate `{this}`") } else { format!("`{this}` after `{other}`") };
    let new = Diagnostic::new(Code::E0450, word.span, what);
    let new = new.with_label(if is_same { "again here" } else { "comes too late" });
    new.also(before.span, if is_same { "first here" } else { "already here" }).help(ORDER)
}
