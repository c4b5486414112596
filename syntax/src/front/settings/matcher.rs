//! Lowers a group's `matcher` to a condition. Names become `eq` and `in`, simple patterns become
//! tests of a literal, and other patterns become regular expressions with JavaScript's meaning.

use std::ops::Range;

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Right};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::vocab::{Matcher, Names, Vocabulary};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};
use hookc_vm::text::ecma::{self, EcmaError};
use regex::Regex;

use crate::expr;
use crate::pattern;

/// The meaning of a matcher.
#[derive(Debug, PartialEq)]
pub(crate) enum LoweredMatcher {
    /// Everything matches.
    All,
    /// Events that satisfy this condition match.
    Cond(Cond),
}

/// What a file has besides matchers to test an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherTests {
    /// The key `when`, next to a matcher.
    When,
    /// Nothing.
    None,
}

/// Lowers a matcher; `None` after an invalid pattern was reported.
pub(crate) fn lower(
    text: &Text,
    span: Span,
    (subject, tests): (&Matcher, OtherTests),
    out: &mut Diagnostics,
) -> Option<LoweredMatcher> {
    let value = Value::new(Kind::Str(text.clone()), span);
    let written = text.value.as_str();
    if written.is_empty() || written == "*" {
        return Some(LoweredMatcher::All);
    }
    let at = Leaves { subject, span, tests };
    match subject.names {
        Names::Files => {
            let names = written.split('|').filter(|name| !name.is_empty());
            return at.any(names.map(|name| at.file(name)).collect());
        }
        Names::Words if written.chars().all(|c| is_word(c) || c == '|') => {
            return at.names(written.split('|').collect());
        }
        Names::Plain if written.chars().all(|c| is_word(c) || matches!(c, '-' | ' ' | ',' | '|')) => {
            return at.names(written.split(['|', ',']).map(str::trim).collect());
        }
        _ => {}
    }
    at.pattern(&value, written, out)
}

/// Lowers a pattern that matches anywhere in the text, even if it is a plain name.
pub(crate) fn search(
    text: &Text,
    span: Span,
    (subject, tests): (&Matcher, OtherTests),
    out: &mut Diagnostics,
) -> Option<LoweredMatcher> {
    let value = Value::new(Kind::Str(text.clone()), span);
    Leaves { subject, span, tests }.pattern(&value, &text.value, out)
}

/// Lowers a pattern of Go or Rust that matches anywhere in the text: its syntax is that of conditions.
pub(crate) fn linear(
    text: &Text,
    span: Span,
    subject: &Matcher,
    out: &mut Diagnostics,
) -> Option<LoweredMatcher> {
    if let Err(error) = Regex::new(&text.value) {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
        let message = format!("the matcher is not a valid regular expression: {why}");
        let new = Diagnostic::new(Code::E0404, span, message).with_label("here");
        out.push(new.help("write the name of a tool, names separated by `|`, or a pattern"));
        return None;
    }
    let value = Value::new(Kind::Str(text.clone()), span);
    leaf(&subject.path, Op::Regex, value, span).map(LoweredMatcher::Cond)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Builds the leaves of one matcher.
struct Leaves<'m> {
    subject: &'m Matcher,
    span: Span,
    tests: OtherTests,
}

impl Leaves<'_> {
    fn leaf(&self, op: Op, value: Value) -> Option<LoweredMatcher> {
        leaf(&self.subject.path, op, value, self.span).map(LoweredMatcher::Cond)
    }

    fn text(&self, text: &str) -> Value {
        Value::string(text, self.span)
    }

    /// One of some names.
    fn names(&self, names: Vec<&str>) -> Option<LoweredMatcher> {
        let mut once: Vec<&str> = Vec::with_capacity(names.len());
        let mut seen = std::collections::HashSet::new();
        once.extend(names.into_iter().filter(|name| !name.is_empty() && seen.insert(*name)));
        match once.as_slice() {
            [] => self.any(Vec::new()),
            [one] => self.leaf(Op::Eq, self.text(one)),
            several => {
                let values = several.iter().map(|name| self.text(name)).collect();
                self.leaf(Op::In, Value::new(Kind::Seq(values), self.span))
            }
        }
    }

    fn any(&self, mut conds: Vec<Option<LoweredMatcher>>) -> Option<LoweredMatcher> {
        if conds.len() == 1 {
            return conds.pop().flatten();
        }
        let conds = conds.into_iter().map(|one| match one? {
            LoweredMatcher::Cond(cond) => Some(cond),
            LoweredMatcher::All => None,
        });
        let kind = match conds.collect::<Option<Vec<_>>>()? {
            none if none.is_empty() => CondKind::Const(false),
            several => CondKind::Any(several.into()),
        };
        Some(LoweredMatcher::Cond(Cond { span: self.span, kind }))
    }

    /// A file of that name in any directory, with either slash.
    fn file(&self, name: &str) -> Option<LoweredMatcher> {
        let pattern = format!(r"(?:^|[/\\]){}$", regex::escape(name));
        self.leaf(Op::Regex, self.text(&pattern))
    }

    fn pattern(&self, value: &Value, written: &str, out: &mut Diagnostics) -> Option<LoweredMatcher> {
        let translated = match ecma::translate(written) {
            Ok(translated) => translated,
            Err(error) => {
                out.push(refused(&error, written, value, (self.subject, self.tests)));
                return None;
            }
        };
        if matches!(written, ".*" | "^.*" | ".*$" | "^.*$") {
            return Some(LoweredMatcher::All);
        }
        if let Some(names) = alternatives(written) {
            return self.names(names);
        }
        // A pattern with the same meaning in both languages is unchanged.
        let same = is_common(written) && pattern::is_sound(written);
        let meant = if same { written } else { &translated };
        if let Some((op, text)) = pattern::literal_test_of(trimmed(meant)) {
            return self.leaf(op, self.text(&text));
        }
        let value = if same { value.clone() } else { self.text(&translated) };
        self.leaf(Op::Regex, value)
    }
}

/// A leaf with a path that always parses.
pub(crate) fn leaf(path: &str, op: Op, value: Value, span: Span) -> Option<Cond> {
    let path = expr::path::parse(&Text::plain(path), span, &mut Diagnostics::new())?;
    let leaf = Leaf {
        path,
        op: Spanned::new(op, span),
        right: Right::Value(value.into()),
        ignore_case: None,
        assert_format: None,
    };
    Some(Cond { span, kind: CondKind::Leaf(leaf.into()) })
}

/// Whether a pattern has the same meaning in JavaScript and here. (In JavaScript, `.` excludes
/// three more line ends; names contain none.)
fn is_common(pattern: &str) -> bool {
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let common = match c {
            '\\' => {
                chars.next().is_some_and(|next| next.is_ascii_punctuation() && !matches!(next, '<' | '>'))
            }
            '(' if chars.next_if_eq(&'?').is_some() => chars.next_if_eq(&':').is_some(),
            '[' => is_common_class(&mut chars),
            _ => true,
        };
        if !common {
            return false;
        }
    }
    true
}

/// Whether the class after `[` has only plain characters and ranges.
fn is_common_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let _ = chars.next_if_eq(&'^');
    let mut before = '[';
    for c in chars {
        match c {
            ']' => return before != '[',
            '-' if before == '-' => return false,
            c if is_word(c) || matches!(c, '-' | ' ' | '.' | ':' | '/') => before = c,
            _ => return false,
        }
    }
    false
}

/// The names of `^(A|B)$`, `^(?:A|B)$`, `^A$` and `^A$|^B$`.
fn alternatives(pattern: &str) -> Option<Vec<&str>> {
    let plain =
        |name: &&str| !name.is_empty() && name.chars().all(|c| is_word(c) || matches!(c, '-' | ' ' | ':'));
    let group = pattern.strip_prefix("^(").and_then(|rest| rest.strip_suffix(")$"));
    let names: Vec<&str> = match group {
        Some(inner) => inner.strip_prefix("?:").unwrap_or(inner).split('|').collect(),
        None => {
            pattern.split('|').map(|one| one.strip_prefix('^')?.strip_suffix('$')).collect::<Option<_>>()?
        }
    };
    names.iter().all(plain).then_some(names)
}

/// The pattern without `.*` at an unanchored end, where it has no effect.
fn trimmed(pattern: &str) -> &str {
    let mut rest = pattern.strip_prefix(".*").unwrap_or(pattern);
    while let Some(shorter) = rest.strip_suffix(".*") {
        let escapes = shorter.len() - shorter.trim_end_matches('\\').len();
        if escapes % 2 == 1 || shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest
}

fn refused(
    error: &EcmaError,
    pattern: &str,
    value: &Value,
    (subject, tests): (&Matcher, OtherTests),
) -> Diagnostic {
    let before = pattern.get(..error.at.start).unwrap_or(pattern);
    let column = before.chars().count() + 1;
    let place: Range<usize> = error.at.clone();
    let what = match error.valid {
        true => format!(
            "{} is not supported in a matcher, because regular expressions run in linear time, at column \
             {column}",
            error.what
        ),
        false => format!("the matcher is not a valid regular expression: {}, at column {column}", error.what),
    };
    let help = match (error.what, error.valid) {
        ("a look-ahead" | "a look-behind", _) => match tests {
            OtherTests::When => "list the intended names, or use `when` with `not` and `and`".to_owned(),
            OtherTests::None => "list the intended names, separated by `|`".to_owned(),
        },
        ("a back-reference", _) => "list the texts that it can repeat as alternatives".to_owned(),
        ("a group with flags", _) => "write classes such as `[Aa]`".to_owned(),
        _ if tool_of_rule(pattern).is_some() && tests == OtherTests::When => {
            instead_of_rule(tool_of_rule(pattern).unwrap_or_default())
        }
        _ => {
            let path = &subject.path;
            let help =
                format!("a matcher tests only `{path}`: write a name, names separated by `|`, or a pattern");
            match tests {
                OtherTests::When => help + "; write other conditions as `when`",
                OtherTests::None => help,
            }
        }
    };
    Diagnostic::new(Code::E0404, value.span_within(place), what).with_label("here").help(help)
}

/// The warning for a matcher that matches no name of a tool.
pub(in crate::front) fn no_tool(written: &str, span: Span) -> Option<Diagnostic> {
    let new = |what: String, label| Diagnostic::new(Code::W0237, span, what).with_label(label);
    if let Some(server) = only_server(written) {
        let new = new(format!("no tool has the name `{written}`"), "never matches");
        return Some(new.help(format!("for all tools of the server, write `mcp__{server}__.*`")));
    }
    let listed = written.chars().all(|c| is_word(c) || matches!(c, '-' | ' ' | ',' | '|'));
    let never = match listed {
        true => written.split(['|', ',']).all(|name| name.trim().contains(' ')),
        false => {
            let pattern = ecma::translate(written).ok()?;
            pattern::requires_others(&pattern, |c| is_word(c) || matches!(c, '-' | '.'))
                || is_rule(written, &pattern)
        }
    };
    let new = never.then(|| {
        let what = "the matcher matches no tool name".to_owned();
        let rule = tool_of_rule(written).is_some();
        new(what, if rule { "a permission rule, not a name" } else { "needs a character that no name has" })
    })?;
    let tool = written.split_once('(').map(|(tool, _)| tool).filter(|tool| tool.chars().all(is_word));
    Some(match tool.filter(|tool| !tool.is_empty()) {
        Some(tool) => new.help(instead_of_rule(tool)),
        None if listed => new.help("separate the names with `|`"),
        None => new.help("a matcher tests only `tool_name`: write other conditions as `when`"),
    })
}

fn instead_of_rule(tool: &str) -> String {
    format!("a matcher tests only `tool_name`: write `{tool}`, and the rest as the handler's `if`")
}

/// The tool of a permission rule such as `Bash(git *)`.
fn tool_of_rule(written: &str) -> Option<&str> {
    let (tool, _) = written.strip_suffix(')')?.split_once('(')?;
    Vocabulary::builtin().tools.by_name.contains_key(tool).then_some(tool)
}

/// Whether a pattern was written as a permission rule: it matches no tool. `Task(Create|Update)` is a
/// pattern.
fn is_rule(written: &str, pattern: &str) -> bool {
    let matches =
        |pattern: &Regex| Vocabulary::builtin().tools.by_name.keys().any(|tool| pattern.is_match(tool));
    tool_of_rule(written).is_some()
        && pattern::is_sound(pattern)
        && Regex::new(pattern).is_ok_and(|pattern| !matches(&pattern))
}

/// The server of a name that has a server and no tool.
fn only_server(name: &str) -> Option<&str> {
    let server = name.strip_prefix("mcp__")?;
    let (server, tool) = server.split_once("__").unwrap_or((server, ""));
    (!server.is_empty() && tool.is_empty() && server.chars().all(|c| is_word(c) || c == '-'))
        .then_some(server)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::tree::print;

    fn lowered(names: Names, matcher: &str) -> String {
        let subject = Matcher { path: "x".to_owned(), names };
        let mut out = Diagnostics::new();
        match lower(&Text::plain(matcher), Span::default(), (&subject, OtherTests::When), &mut out) {
            Some(LoweredMatcher::All) => "all".to_owned(),
            Some(LoweredMatcher::Cond(cond)) => print::condition(&cond).trim().replace('\n', ";"),
            None => out.iter().map(|new| new.message.clone()).collect(),
        }
    }

    #[test]
    fn as_the_agent_reads_them() {
        let table = [
            ("", "all"),
            ("*", "all"),
            (".*", "all"),
            ("Bash", "x eq \"Bash\""),
            ("Edit|Write", "x in [\"Edit\",\"Write\"]"),
            (" Edit , Write|Edit|", "x in [\"Edit\",\"Write\"]"),
            ("general-purpose", "x eq \"general-purpose\""),
            ("|", "false"),
            ("^Bash$", "x eq \"Bash\""),
            ("^(A|B)$", "x in [\"A\",\"B\"]"),
            ("^(?:A|B)$", "x in [\"A\",\"B\"]"),
            ("^A$|^b:c$", "x in [\"A\",\"b:c\"]"),
            ("^Notebook", "x starts_with \"Notebook\""),
            ("mcp__memory__.*", "x contains \"mcp__memory__\""),
            ("^mcp__memory__.*", "x starts_with \"mcp__memory__\""),
            ("Edit.*Write", "x regex \"Edit.*Write\""),
            ("Edit\\d", "x regex \"Edit[0-9]\""),
            ("mcp__.*A.*__b-(c|d).*", "x regex \"mcp__.*A.*__b-(c|d).*\""),
            ("[A-Z]x\\/[^a]", "x regex \"[A-Z]x\\\\/[^a]\""),
            ("a.b|c", "x regex \"a.b|c\""),
            ("a\\.*", "x regex \"a\\\\.*\""),
        ];
        for (matcher, expected) in table {
            assert_eq!(lowered(Names::Plain, matcher), expected, "{matcher}");
        }
        assert!(lowered(Names::Plain, "[]]").starts_with("x regex"), "a class of nothing");
        assert!(lowered(Names::Plain, "(?!Bash)").starts_with("a look-ahead is not supported"));
        assert!(lowered(Names::Plain, "(a)\\1").starts_with("a back-reference is not supported"));
        assert!(lowered(Names::Plain, "a**").starts_with("the matcher is not a valid regular expression"));
    }

    #[test]
    fn subjects_of_their_own() {
        assert_eq!(lowered(Names::Words, "rate_limit|unknown"), "x in [\"rate_limit\",\"unknown\"]");
        assert_eq!(lowered(Names::Words, "a b"), "x contains \"a b\"");
        assert_eq!(lowered(Names::Files, ".env"), "x regex \"(?:^|[/\\\\\\\\])\\\\.env$\"");
        assert!(lowered(Names::Files, ".envrc|.env").starts_with("any;"));
    }
}
