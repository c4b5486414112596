//! Random JSON Schemas over the pools: every keyword, references in `$defs`,
//! dynamic ones among them. None leads in a circle but through members and
//! elements.

use hookc_schema::Span;
use hookc_schema::Spanned;
use hookc_schema::value::{Kind, Member, Number, Value};

use super::{Rng, pool};

/// Names of members of the pool's values.
const NAMES: &[&str] = &["x", "c", "code", "retry-after", "spend", "category", "a", "b", "type", ""];
const TYPES: &[&str] = &["null", "boolean", "integer", "number", "string", "array", "object"];
const PATTERNS: &[&str] = &["^a", "c$", "\\d+", "[a-c]{2}", "^.$", "\\w", "_", "^\\S*$", "é|\\s", "[^x]"];
const FORMATS: &[&str] = &["date-time", "date", "time", "uuid", "ipv4", "ipv6"];
const DIVISORS: &[&str] = &["1", "2", "0.5", "0.1", "10", "1e-3", "7200", "3.0", "1e20"];
/// Schemas of `$defs`; each refers only to later ones, or to itself through members and elements.
const DEFS: &[&str] = &["first", "second", "third"];

/// A random schema that compiles.
pub fn schema(rng: &mut Rng) -> Value {
    if rng.chance(5) {
        return boolean(rng);
    }
    if rng.chance(8) {
        return extended(rng);
    }
    if rng.chance(12) {
        return plain(rng, 2);
    }
    let mut maker = Maker { defs: if rng.chance(40) { DEFS.len() } else { 0 }, at: 0, down: false };
    let mut members = maker.members(rng, 3);
    if maker.defs > 0 {
        let defs = (1..=maker.defs).map(|at| maker.def(rng, at)).collect();
        members.push(("$defs", object(defs)));
    }
    named(members)
}

/// A random value for schemas to be about.
pub fn value(rng: &mut Rng) -> Value {
    if rng.chance(15) {
        let texts = [
            "2024-02-29",
            "23:59:60Z",
            "2024-02-29T00:00:00+01:00",
            "127.0.0.1",
            "::1",
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
        ];
        return pool::string(rng.pick(&texts));
    }
    if rng.chance(40) {
        let names = some_names(rng);
        return object(names.into_iter().map(|name| (name.to_owned(), pool::any(rng, 2))).collect());
    }
    pool::any(rng, 3)
}

/// Lists of any elements, which the whole schema may constrain further.
fn extended(rng: &mut Rng) -> Value {
    let mut maker = Maker { defs: 0, at: 0, down: true };
    let anchors = ["$dynamicAnchor", "$dynamicAnchor", "$anchor"];
    let (first, second) = (rng.pick(&anchors), rng.pick(&anchors));
    let mut anchored = |rng: &mut Rng, anchor: &str| {
        let mut members = vec![(anchor, pool::string("item"))];
        members.extend(maker.members(rng, 1));
        named(members)
    };
    let anchor = anchored(rng, first);
    let item = anchored(rng, second);
    let keyword = rng.pick(&["items", "contains", "additionalProperties", "unevaluatedProperties"]);
    let list = named(vec![
        ("$id", pool::string("list")),
        (keyword, named(vec![("$dynamicRef", pool::string("#item"))])),
        ("$defs", named(vec![("item", item)])),
    ]);
    named(vec![
        ("$id", pool::string("https://example.com/all")),
        ("$ref", pool::string("list")),
        ("$defs", named(vec![("own", anchor), ("list", list)])),
    ])
}

/// Facts that other operators use: constants, bounds, present members.
fn plain(rng: &mut Rng, depth: usize) -> Value {
    let list = |rng: &mut Rng| array((0..1 + rng.below(6)).map(|_| pool::any(rng, 1)).collect());
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 => named(vec![("const", pool::any(rng, 1))]),
        1 => named(vec![("enum", list(rng))]),
        2 => named(vec![("type", pool::string(rng.pick(TYPES))), ("enum", list(rng))]),
        3 => named(vec![("type", pool::string("boolean"))]),
        4 => {
            let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
            let mut members = vec![("type", pool::string("number"))];
            members.extend((0..1 + rng.below(2)).map(|_| (rng.pick(&bounds), pool::number(rng))));
            named(members)
        }
        5 | 6 => {
            let parts = (0..1 + rng.below(3)).map(|_| plain(rng, depth - 1)).collect();
            named(vec![(rng.pick(&["allOf", "anyOf", "anyOf"]), array(parts))])
        }
        _ => {
            let names: Vec<&str> = NAMES.iter().copied().filter(|_| rng.chance(12)).collect();
            let required = names.iter().map(|name| pool::string(name)).collect();
            let each = names.into_iter().map(|name| (name.to_owned(), plain(rng, depth - 1))).collect();
            named(vec![
                ("type", pool::string("object")),
                ("required", array(required)),
                ("properties", object(each)),
            ])
        }
    }
}

fn boolean(rng: &mut Rng) -> Value {
    pool::value(Kind::Bool(rng.chance(70)))
}

fn object(members: Vec<(String, Value)>) -> Value {
    let member = |(key, value)| Member { key: Spanned::new(key, Span::default()), value };
    pool::value(Kind::Map(members.into_iter().map(member).collect()))
}

fn named(members: Vec<(&str, Value)>) -> Value {
    let mut seen: Vec<(String, Value)> = Vec::new();
    for (key, value) in members {
        if !seen.iter().any(|(known, _)| known == key) {
            seen.push((key.to_owned(), value));
        }
    }
    object(seen)
}

fn array(items: Vec<Value>) -> Value {
    pool::value(Kind::Seq(items))
}

fn count(rng: &mut Rng) -> Value {
    pool::value(Kind::Num(Number(rng.pick(&["0", "1", "1.0", "2", "3", "5", "1e1"]).to_owned())))
}

/// Some of the names, in their order.
fn some_names(rng: &mut Rng) -> Vec<&'static str> {
    NAMES.iter().copied().filter(|_| rng.chance(20)).collect()
}

struct Maker {
    /// The number of schemas in `$defs`.
    defs: usize,
    /// The current schema; 0 for the whole.
    at: usize,
    /// Whether this is about a member or an element, where any schema is allowed.
    down: bool,
}

impl Maker {
    fn def(&mut self, rng: &mut Rng, at: usize) -> (String, Value) {
        (self.at, self.down) = (at, false);
        let members = self.members(rng, 2);
        (DEFS.get(at - 1).copied().unwrap_or("first").to_owned(), named(members))
    }

    fn schema(&mut self, rng: &mut Rng, depth: usize) -> Value {
        if depth == 0 || rng.chance(15) {
            return if rng.chance(60) { self.leaf(rng) } else { boolean(rng) };
        }
        named(self.members(rng, depth))
    }

    /// A schema of a member, an element or a name.
    fn below(&mut self, rng: &mut Rng, depth: usize) -> Value {
        let before = std::mem::replace(&mut self.down, true);
        let schema = self.schema(rng, depth);
        self.down = before;
        schema
    }

    fn leaf(&mut self, rng: &mut Rng) -> Value {
        named(vec![self.assertion(rng)])
    }

    fn members(&mut self, rng: &mut Rng, depth: usize) -> Vec<(&'static str, Value)> {
        let mut members = Vec::new();
        for _ in 0..1 + rng.below(3) {
            members.push(match rng.below(10) {
                0..=3 => self.assertion(rng),
                4 => self.reference(rng),
                5 | 6 => self.applied(rng, depth.saturating_sub(1)),
                7 => self.arrays(rng, depth.saturating_sub(1)),
                _ => self.objects(rng, depth.saturating_sub(1)),
            });
        }
        if members.iter().any(|(key, _)| *key == "if") {
            members.push(("then", self.schema(rng, depth.saturating_sub(1))));
            members.push(("else", self.schema(rng, depth.saturating_sub(1))));
        }
        if members.iter().any(|(key, _)| *key == "contains") {
            members.extend(rng.chance(50).then(|| ("minContains", count(rng))));
            members.extend(rng.chance(40).then(|| ("maxContains", count(rng))));
        }
        if rng.chance(15) {
            let keyword = rng.pick(&["unevaluatedItems", "unevaluatedProperties"]);
            members.push((keyword, self.below(rng, depth.saturating_sub(1))));
        }
        members
    }

    fn assertion(&mut self, rng: &mut Rng) -> (&'static str, Value) {
        let number = |rng: &mut Rng| pool::number(rng);
        match rng.below(16) {
            0 | 1 => ("type", pool::string(rng.pick(TYPES))),
            2 => {
                let mut types: Vec<Value> =
                    TYPES.iter().filter(|_| rng.chance(35)).map(|name| pool::string(name)).collect();
                if types.is_empty() {
                    types.push(pool::string("string"));
                }
                ("type", array(types))
            }
            3 => ("const", pool::any(rng, 2)),
            4 => ("enum", array((0..1 + rng.below(4)).map(|_| pool::any(rng, 1)).collect())),
            5 => (rng.pick(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]), number(rng)),
            6 => ("multipleOf", pool::value(Kind::Num(Number(rng.pick(DIVISORS).to_owned())))),
            7 | 8 => (rng.pick(&["minLength", "maxLength"]), count(rng)),
            9 => ("pattern", pool::string(rng.pick(PATTERNS))),
            10 => ("format", pool::string(rng.pick(FORMATS))),
            11 => (rng.pick(&["minItems", "maxItems"]), count(rng)),
            12 => ("uniqueItems", boolean(rng)),
            13 => (rng.pick(&["minProperties", "maxProperties"]), count(rng)),
            14 => ("required", array(some_names(rng).into_iter().map(pool::string).collect())),
            _ => {
                let names = |rng: &mut Rng| array(some_names(rng).into_iter().map(pool::string).collect());
                let pairs = some_names(rng).into_iter().map(|name| (name.to_owned(), names(rng))).collect();
                ("dependentRequired", object(pairs))
            }
        }
    }

    /// A reference to a schema of `$defs`; for the value itself, only to later ones.
    fn reference(&mut self, rng: &mut Rng) -> (&'static str, Value) {
        let from = if self.down { 0 } else { self.at };
        let Some(left) = self.defs.checked_sub(from).filter(|left| *left > 0) else {
            return self.assertion(rng);
        };
        if self.down && rng.chance(15) {
            return ("$ref", pool::string("#"));
        }
        let name = DEFS.get(from + rng.below(left)).copied().unwrap_or("third");
        let keyword = if rng.chance(25) { "$dynamicRef" } else { "$ref" };
        (keyword, pool::string(&format!("#/$defs/{name}")))
    }

    fn applied(&mut self, rng: &mut Rng, depth: usize) -> (&'static str, Value) {
        match rng.below(6) {
            0 => ("not", self.schema(rng, depth)),
            1 => ("if", self.schema(rng, depth)),
            2 => {
                let pairs =
                    some_names(rng).into_iter().map(|name| (name.to_owned(), self.schema(rng, depth)));
                ("dependentSchemas", object(pairs.collect()))
            }
            _ => {
                let schemas = (0..1 + rng.below(3)).map(|_| self.schema(rng, depth)).collect();
                (rng.pick(&["allOf", "anyOf", "oneOf"]), array(schemas))
            }
        }
    }

    fn arrays(&mut self, rng: &mut Rng, depth: usize) -> (&'static str, Value) {
        match rng.below(3) {
            0 => ("prefixItems", array((0..1 + rng.below(2)).map(|_| self.below(rng, depth)).collect())),
            1 => ("items", self.below(rng, depth)),
            _ => ("contains", self.below(rng, depth)),
        }
    }

    fn objects(&mut self, rng: &mut Rng, depth: usize) -> (&'static str, Value) {
        match rng.below(4) {
            0 | 1 => {
                let names = some_names(rng);
                let pairs = names.into_iter().map(|name| (name.to_owned(), self.below(rng, depth)));
                ("properties", object(pairs.collect()))
            }
            2 => {
                let pattern = rng.pick(PATTERNS).to_owned();
                ("patternProperties", object(vec![(pattern, self.below(rng, depth))]))
            }
            _ => (rng.pick(&["additionalProperties", "propertyNames"]), self.below(rng, depth)),
        }
    }
}
