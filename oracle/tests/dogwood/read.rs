//! Reads policies and traces of the suite.

use serde_json::{Map, Value};

/// A policy: its rules.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) permits: bool,
    /// The action; any if it is absent.
    pub(crate) action: Option<String>,
    pub(crate) condition: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
    Formerly(u64, Box<Expr>),
    Previous(u64, Box<Expr>),
    Since(Box<Expr>, u64, Box<Expr>),
    Atom(Atom),
    Compare(Term, String, Term),
    Exists(String, Box<Expr>),
    /// The time point of the event is the variable.
    At(String),
}

/// An event of a type, with what its fields are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom {
    pub(crate) event: String,
    pub(crate) fields: Vec<(Vec<String>, Term)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    Value(Value),
    /// A path of the current event.
    Current(Vec<String>),
    Variable(String),
    /// A field of the event of the selection.
    Field(Vec<String>),
    Aggregate(Box<Aggregate>),
    Anything,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aggregate {
    /// The variable that is summed up; `None` counts.
    pub(crate) sum: Option<String>,
    pub(crate) variables: Vec<String>,
    /// Those of them that are time points.
    pub(crate) points: Vec<String>,
    pub(crate) body: Expr,
}

type Read<T> = Result<T, String>;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(&'static str),
}

const SIGNS: [&str; 26] = [
    "::", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", "[", "]", ",", ":", ";", ".", "<", ">",
    "!", "-", "=", "*", "?", "$", "@",
];

fn tokens(text: &str) -> Read<Vec<Token>> {
    let (mut rest, mut tokens) = (text, Vec::new());
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(inside) = rest.strip_prefix('"') {
            let (text, after) = string(inside)?;
            tokens.push(Token::Text(text));
            rest = after;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else if rest.is_empty() {
            return Ok(tokens);
        } else {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            if end == 0 {
                return Err(format!("unexpected {rest:.10}"));
            }
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
}

fn string(text: &str) -> Read<(String, &str)> {
    let (mut out, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((out, &text[at + 1..])),
            '\\' => match chars.next() {
                Some((_, c @ ('"' | '\\' | '\''))) => out.push(c),
                Some((_, 'n')) => out.push('\n'),
                _ => return Err("an escape".to_owned()),
            },
            c => out.push(c),
        }
    }
    Err("an open string".to_owned())
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

/// The rules of a policy.
pub(crate) fn policy(text: &str) -> Read<Vec<Rule>> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0 };
    let mut rules = Vec::new();
    while reader.at < reader.tokens.len() {
        rules.push(reader.rule()?);
    }
    Ok(rules)
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.is(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn is(&self, expected: &str) -> bool {
        match self.peek() {
            Some(Token::Sign(sign)) => *sign == expected,
            Some(Token::Word(word)) => word == expected,
            Some(Token::Text(_)) | None => false,
        }
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.eat(sign) { Ok(()) } else { Err(format!("{sign} expected, not {:?}", self.peek())) }
    }

    fn word(&mut self) -> Read<String> {
        match self.peek().cloned() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            other => Err(format!("a word expected, not {other:?}")),
        }
    }

    fn rule(&mut self) -> Read<Rule> {
        let permits = match self.word()?.as_str() {
            "permit" => true,
            "forbid" => false,
            other => return Err(format!("{other} is not supported")),
        };
        for sign in ["(", "principal", ",", "action"] {
            self.expect(sign)?;
        }
        let action = if self.eat("==") { Some(self.action()?) } else { None };
        for sign in [",", "resource", ")"] {
            self.expect(sign)?;
        }
        let mut parts = Vec::new();
        while !self.eat(";") {
            let positive = self.eat("when");
            if !positive {
                self.expect("unless")?;
            }
            let is_temporal = self.eat("temporal");
            self.expect("{")?;
            let expr = self.any(is_temporal)?;
            self.expect("}")?;
            parts.push(if positive { expr } else { Expr::Not(Box::new(expr)) });
        }
        Ok(Rule { permits, action, condition: Expr::All(parts) })
    }

    /// `Space::Action::"Name"`
    fn action(&mut self) -> Read<String> {
        while !matches!(self.peek(), Some(Token::Text(_))) {
            self.word()?;
            self.expect("::")?;
        }
        match self.peek().cloned() {
            Some(Token::Text(name)) => {
                self.at += 1;
                Ok(name)
            }
            other => Err(format!("an action expected, not {other:?}")),
        }
    }

    fn any(&mut self, temporal: bool) -> Read<Expr> {
        let mut parts = vec![self.all(temporal)?];
        while self.eat("||") {
            parts.push(self.all(temporal)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Any(parts) })
    }

    fn all(&mut self, temporal: bool) -> Read<Expr> {
        let mut parts = vec![self.since(temporal)?];
        while self.eat("&&") {
            parts.push(self.since(temporal)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::All(parts) })
    }

    fn since(&mut self, temporal: bool) -> Read<Expr> {
        let left = self.unary(temporal)?;
        if !self.eat("since") {
            return Ok(left);
        }
        let within = self.within()?;
        let right = self.unary(temporal)?;
        Ok(Expr::Since(Box::new(left), within, Box::new(right)))
    }

    fn within(&mut self) -> Read<u64> {
        self.expect("within")?;
        let mut text = self.word()?;
        if text.chars().all(|c| c.is_ascii_digit()) {
            text += &self.word()?;
        }
        let end = text.find(|c: char| !c.is_ascii_digit()).ok_or("a unit")?;
        let unit = match &text[end..] {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            other => return Err(format!("the unit {other}")),
        };
        let count: u64 = text[..end].parse().map_err(|_| "a duration".to_owned())?;
        Ok(count * unit)
    }

    fn unary(&mut self, temporal: bool) -> Read<Expr> {
        if self.eat("!") {
            return Ok(Expr::Not(Box::new(self.unary(temporal)?)));
        }
        if self.eat("formerly") {
            let within = self.within()?;
            return Ok(Expr::Formerly(within, Box::new(self.unary(temporal)?)));
        }
        if self.eat("previous") {
            let within = self.within()?;
            return Ok(Expr::Previous(within, Box::new(self.unary(temporal)?)));
        }
        if self.eat("exists") {
            let (name, _) = self.variable()?;
            self.expect(".")?;
            return Ok(Expr::Exists(name, Box::new(self.any(temporal)?)));
        }
        if !temporal && self.eat("temporal") {
            self.expect("{")?;
            let expr = self.any(true)?;
            self.expect("}")?;
            return Ok(expr);
        }
        self.primary(temporal)
    }

    /// `(name: Type)`
    fn variable(&mut self) -> Read<(String, String)> {
        self.expect("(")?;
        let name = self.word()?;
        self.expect(":")?;
        let mut kind = self.word()?;
        while self.eat("::") {
            kind = self.word()?;
        }
        self.expect(")")?;
        Ok((name, kind))
    }

    fn primary(&mut self, temporal: bool) -> Read<Expr> {
        let start = self.at;
        if self.eat("(") {
            let is_aggregate = self.is("count") || self.is("sum");
            if !is_aggregate
                && let Ok(expr) = self.any(temporal)
                && self.eat(")")
            {
                return Ok(expr);
            }
            self.at = start;
        }
        if self.eat("tp") {
            self.expect("(")?;
            let name = self.word()?;
            self.expect(")")?;
            return Ok(Expr::At(name));
        }
        if let Ok(atom) = self.atom() {
            return Ok(Expr::Atom(atom));
        }
        self.at = start;
        let left = self.term()?;
        let sign = match self.peek() {
            Some(Token::Sign(sign @ ("==" | "!=" | "<" | "<=" | ">" | ">="))) => *sign,
            other => return Err(format!("an operator expected, not {other:?}")),
        };
        self.at += 1;
        Ok(Expr::Compare(left, sign.to_owned(), self.term()?))
    }

    fn atom(&mut self) -> Read<Atom> {
        let action = self.action()?;
        self.expect("::")?;
        let event = format!("{action}_{}", self.word()?);
        let mut fields = Vec::new();
        self.expect("{")?;
        while !self.eat("}") {
            let mut path = vec![self.word()?];
            while self.eat(".") {
                path.push(self.word()?);
            }
            self.expect(":")?;
            fields.push((path, self.term()?));
            self.eat(",");
        }
        Ok(Atom { event, fields })
    }

    fn term(&mut self) -> Read<Term> {
        if self.eat("(") {
            let term = self.term()?;
            self.expect(")")?;
            return Ok(term);
        }
        if self.is("count") || self.is("sum") {
            return self.aggregate();
        }
        for name in ["principal", "resource", "context"] {
            if self.eat(name) {
                let mut path = vec![name.to_owned()];
                while self.eat(".") {
                    path.push(self.word()?);
                }
                if name != "context" && path.len() > 1 {
                    return Err("an attribute of an entity".to_owned());
                }
                return Ok(Term::Current(path));
            }
        }
        if self.eat("_") {
            return Ok(Term::Anything);
        }
        let start = self.at;
        match self.value() {
            Ok(value) => Ok(Term::Value(value)),
            Err(_) => {
                self.at = start;
                Ok(Term::Variable(self.word()?))
            }
        }
    }

    fn aggregate(&mut self) -> Read<Term> {
        let sum = if self.eat("sum") { Some(self.word()?) } else { None };
        if sum.is_none() {
            self.expect("count")?;
        }
        self.expect("for")?;
        let (mut variables, mut points) = (Vec::new(), Vec::new());
        loop {
            let (name, kind) = self.variable()?;
            if kind == "Timepoint" {
                points.push(name.clone());
            }
            variables.push(name);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(".")?;
        self.expect("where")?;
        let body = self.any(true)?;
        Ok(Term::Aggregate(Box::new(Aggregate { sum, variables, points, body })))
    }

    /// A literal, also of a trace.
    fn value(&mut self) -> Read<Value> {
        if self.eat("{") {
            let mut members = Map::new();
            while !self.eat("}") {
                let key = match self.peek().cloned() {
                    Some(Token::Word(word) | Token::Text(word)) => word,
                    other => return Err(format!("a key expected, not {other:?}")),
                };
                self.at += 1;
                self.expect(":")?;
                members.insert(key, self.value()?);
                self.eat(",");
            }
            return Ok(Value::Object(members));
        }
        if self.eat("[") {
            let mut items = Vec::new();
            while !self.eat("]") {
                items.push(self.value()?);
                self.eat(",");
            }
            return Ok(Value::Array(items));
        }
        let sign = if self.eat("-") { "-" } else { "" };
        match self.peek().cloned() {
            Some(Token::Text(text)) => {
                self.at += 1;
                Ok(text.into())
            }
            Some(Token::Word(word)) => {
                self.at += 1;
                match word.as_str() {
                    "true" => Ok(true.into()),
                    "false" => Ok(false.into()),
                    "null" => Ok(Value::Null),
                    "decimal" => {
                        self.expect("(")?;
                        let text = self.value()?;
                        self.expect(")")?;
                        number(text.as_str().unwrap_or_default())
                    }
                    _ if word.chars().all(|c| c.is_ascii_digit()) => {
                        let mut text = format!("{sign}{word}");
                        if self.is(".") && matches!(self.tokens.get(self.at + 1), Some(Token::Word(_))) {
                            self.at += 1;
                            text += &format!(".{}", self.word()?);
                        }
                        number(&text)
                    }
                    _ => self.entity(word),
                }
            }
            other => Err(format!("a value expected, not {other:?}")),
        }
    }

    /// `Space::Kind::"name"` as one text.
    fn entity(&mut self, first: String) -> Read<Value> {
        let mut text = first;
        while self.eat("::") {
            match self.peek().cloned() {
                Some(Token::Word(word)) => text += &format!("::{word}"),
                Some(Token::Text(name)) => {
                    self.at += 1;
                    return Ok(format!("{text}::\"{name}\"").into());
                }
                other => return Err(format!("an entity expected, not {other:?}")),
            }
            self.at += 1;
        }
        Err(format!("{text} is not a value"))
    }
}

fn number(text: &str) -> Read<Value> {
    serde_json::from_str(text).map_err(|_| format!("the number {text}"))
}

/// An event of a trace: its time in seconds, its type, and its text.
pub(crate) fn trace(line: &str) -> Read<(u64, String, String)> {
    let mut reader = Reader { tokens: tokens(line)?, at: 0 };
    reader.expect("@")?;
    let time = reader.word()?.parse().map_err(|_| "a time".to_owned())?;
    let mut event = Map::new();
    for part in ["scope", "entities", "request_context"] {
        if !reader.eat(part) {
            continue;
        }
        if part == "entities" {
            return Err("attributes of entities".to_owned());
        }
        let members = reader.arguments()?;
        match part {
            "scope" => event.extend(members),
            _ => drop(event.insert("context".to_owned(), Value::Object(members))),
        }
    }
    let action = reader.action()?;
    reader.expect("::")?;
    let kind = format!("{action}_{}", reader.word()?);
    event.extend(reader.arguments()?);
    event.insert("hook_event_name".to_owned(), kind.clone().into());
    Ok((time, kind, Value::Object(event).to_string()))
}

impl Reader {
    fn arguments(&mut self) -> Read<Map<String, Value>> {
        self.expect("(")?;
        let mut members = Map::new();
        while !self.eat(")") {
            let key = self.word()?;
            self.expect(":")?;
            members.insert(key, self.value()?);
            self.eat(",");
        }
        Ok(members)
    }
}

/// What a schema says about events.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The kinds of events.
    pub(crate) kinds: Vec<String>,
    /// The kinds of events that are decided.
    pub(crate) deciding: Vec<String>,
    /// The fields that each event must have in common with the current one, by the kind of event.
    pub(crate) pins: Vec<(String, Vec<String>, Term)>,
}

/// Reads a schema.
pub(crate) fn schema(text: &str) -> Read<Schema> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0 };
    let (mut schema, mut kind, mut groups, mut decides) =
        (Schema::default(), String::new(), Vec::new(), false);
    while reader.at < reader.tokens.len() {
        if reader.eat("decision") {
            decides = true;
        } else if reader.eat("event") {
            for sign in ["<", "A", ">", "::"] {
                reader.expect(sign)?;
            }
            kind = reader.word()?;
            reader.expect("{")?;
            schema.kinds.push(kind.clone());
            schema.deciding.extend(decides.then(|| kind.clone()));
            decides = false;
            groups.clear();
        } else if reader.eat("pin") {
            let mut path = groups.clone();
            path.push(reader.word()?);
            while !reader.eat("=") {
                reader.at += 1;
                if reader.at >= reader.tokens.len() {
                    return Err("a pin".to_owned());
                }
            }
            schema.pins.push((kind.clone(), path, reader.term()?));
        } else if let Some(Token::Word(name)) = reader.peek().cloned() {
            reader.at += 1;
            let start = reader.at;
            if reader.eat(":") && reader.eat("{") {
                groups.push(name);
            } else {
                reader.at = start;
            }
        } else {
            if reader.is("}") {
                groups.pop();
            }
            reader.at += 1;
        }
    }
    Ok(schema)
}
