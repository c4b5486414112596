//! Second readers: `serde_yaml_ng`, `quick-xml` and `serde_json` read what the front ends and the scanner
//! read. Where they differ, the difference is listed here with who is right.

use std::collections::BTreeMap;

use hookc_compiler::Dialect;
use hookc_corpus::number;
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Diagnostics, SourceId, Span};
use hookc_syntax::front::{json, xml, yaml};
use hookc_syntax::write;
use hookc_vm::{DecideError, DecideOptions, EventError, Module, Scratch};
use quick_xml::events::Event;

use crate::common;

/// Documents of each test; `HOOKC_POLICIES=20000` makes it a long run.
fn documents() -> u64 {
    number("HOOKC_POLICIES").unwrap_or(400) as u64
}

const SOURCE: SourceId = SourceId(0);

/// What two readers say of one document: nothing, or how they differ.
type Differs = Option<&'static str>;

/// How a value of ours differs from one of `serde_yaml_ng`.
fn in_yaml(own: &Value, other: &serde_yaml_ng::Value) -> Differs {
    use serde_yaml_ng::Value as Yaml;
    match (&own.kind, other) {
        (Kind::Null, Yaml::Null) => None,
        (Kind::Bool(own), Yaml::Bool(other)) => (own != other).then_some("booleans"),
        (Kind::Num(own), Yaml::Number(other)) => {
            let (own, other) = (own.0.parse::<f64>().ok(), other.as_f64());
            (own != other).then_some("numbers")
        }
        // Beyond the range of floats.
        (Kind::Num(_), Yaml::String(_)) => Some("numbers that are strings"),
        (Kind::Str(own), Yaml::String(other)) => (own.value != *other).then_some("strings"),
        (Kind::Seq(own), Yaml::Sequence(other)) if own.len() == other.len() => {
            own.iter().zip(other).find_map(|(own, other)| in_yaml(own, other))
        }
        (Kind::Map(own), Yaml::Mapping(other)) if own.len() == other.len() => {
            let key = |key: &str| other.iter().find(|(other, _)| text(other).as_deref() == Some(key));
            own.iter().find_map(|member| match key(&member.key.node) {
                Some((_, other)) => in_yaml(&member.value, other),
                None => Some("keys"),
            })
        }
        _ => Some("kinds"),
    }
}

/// The text of a scalar key.
fn text(key: &serde_yaml_ng::Value) -> Option<String> {
    match key {
        serde_yaml_ng::Value::String(text) => Some(text.clone()),
        serde_yaml_ng::Value::Bool(truth) => Some(truth.to_string()),
        serde_yaml_ng::Value::Null => Some("null".to_owned()),
        serde_yaml_ng::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Counts differences by what differs, with the first document of each.
#[derive(Debug, Default)]
struct Tally(BTreeMap<&'static str, (u64, String)>);

impl Tally {
    fn add(&mut self, differs: Differs, document: &str) {
        if let Some(what) = differs {
            self.0.entry(what).or_insert_with(|| (0, document.to_owned())).0 += 1;
        }
    }

    /// All differences are known, and those of the first list are there.
    fn expect(&self, shown: &[&str], known: &[&str]) {
        let new = self.0.iter().find(|(what, _)| !shown.contains(what) && !known.contains(what));
        assert!(new.is_none(), "{new:#?}");
        let stale = shown.iter().find(|what| !self.0.contains_key(*what));
        assert!(stale.is_none(), "a difference that no document shows any more: {stale:?}");
    }
}

/// `serde_yaml_ng` rejects integers beyond 64 bits, and reads other numbers beyond the range of floats as
/// strings: hookc is right, numbers of YAML have no bound.
#[test]
fn generated_yaml_is_read_alike() {
    let mut tally = Tally::default();
    for seed in 0..documents() {
        let mut rng = Rng::new(seed ^ 0x59a31);
        let (policy, _) = generate::policies(&mut rng, Shape { plain: false, hooks: 6 }).swap_remove(0);
        let (plain, _) = write::hooks_yaml::write(&policy);
        let value = yaml::read(&plain, SOURCE, &mut Diagnostics::new()).unwrap();
        let (hand, _) = generate::handwritten(&mut rng, &value);
        for text in [plain, hand] {
            let own = yaml::read(&text, SOURCE, &mut Diagnostics::new())
                .unwrap_or_else(|| panic!("not read:\n{text}"));
            match serde_yaml_ng::from_str(&text) {
                Ok(other) => tally.add(in_yaml(&own, &other), &text),
                Err(why) => {
                    let is_large = why.to_string().contains("as u128") || why.to_string().contains("as i128");
                    assert!(is_large, "{why}\n{text}");
                    tally.add(Some("integers beyond 64 bits"), &text);
                }
            }
        }
    }
    tally.expect(&["integers beyond 64 bits", "numbers that are strings"], &[]);
}

/// Scalars in every style, where the readers of YAML are known to differ: who is right by YAML 1.2.
const SCALARS: &[(&str, &str, Differs)] = &[
    ("plain words", "[yes, no, on, off, y, ~, null, Null, 'null', true, True, TRUE]", None),
    ("numbers", "[1, +1, -1, 0x1F, 0o17, 1., .5, 1e3, 1_000]", None),
    ("zeros before a number", "[007]", Some("numbers that are strings")),
    ("a binary number", "[0b1]", Some("kinds")),
    ("dates and times", "[2001-01-01, 12:30:45, 1:2]", None),
    ("block scalars", "a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  k\n\n", None),
    ("escapes", "[\"\\x41\\u00e9\\U0001F600\\t\\\"\\/\\e\", 'it''s']", None),
    ("flow over lines", "{a: [1,\n  2], ? b : c,\n \"d\":e}", None),
    ("anchors", "a: &x {b: 1}\nc: *x\n", None),
    ("a merge key", "a: &x {b: 1}\nc: {<<: *x, d: 2}\n", Some("keys")),
    ("an exact number", "[9007199254740993, 0.1]", None),
    ("a large number", "[1e400]", Some("numbers that are strings")),
    ("a tag", "[!!str 1, !!int '1']", None),
    ("a comment in a plain scalar", "a: b#c\nd: e #f\n", None),
    ("empty values", "a:\nb: ''\n-c: d\n", None),
];

/// Merge keys: hookc merges, as YAML 1.1 says and people expect; serde_yaml_ng keeps `<<` as a key.
/// Numbers: by the core schema of YAML 1.2, `007` is one and `0b1` is a string, as hookc has them.
#[test]
fn scalars_are_read_as_yaml_1_2_has_them() {
    let mut wrong = String::new();
    for (name, text, known) in SCALARS {
        let own = yaml::read(text, SOURCE, &mut Diagnostics::new());
        let other = serde_yaml_ng::from_str::<serde_yaml_ng::Value>(text);
        let differs = match (&own, &other) {
            (Some(own), Ok(other)) => in_yaml(own, other),
            (None, Err(_)) => None,
            (None, Ok(_)) => Some("only we reject it"),
            (Some(_), Err(_)) => Some("only they reject it"),
        };
        if differs != *known {
            wrong += &format!("{name}: {differs:?}\n  {own:?}\n  {other:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// JSON is YAML: both readers give its value.
#[test]
fn generated_json_is_read_alike() {
    let mut tally = Tally::default();
    for seed in 0..documents() {
        let mut rng = Rng::new(seed ^ 0x1503);
        let text = generate::event(&mut rng, true);
        let own =
            json::read(&text, SOURCE, &mut Diagnostics::new()).unwrap_or_else(|| panic!("not read: {text}"));
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(other) => tally.add(in_json(&own.value, &other), &text),
            Err(why) => {
                assert!(why.to_string().contains("number out of range"), "{why}: {text}");
                tally.add(Some("numbers beyond floats"), &text);
            }
        }
    }
    tally.expect(&["numbers beyond floats"], &[]);
}

fn in_json(own: &Value, other: &serde_json::Value) -> Differs {
    use serde_json::Value as Json;
    match (&own.kind, other) {
        (Kind::Null, Json::Null) => None,
        (Kind::Bool(own), Json::Bool(other)) => (own != other).then_some("booleans"),
        (Kind::Num(own), Json::Number(other)) => {
            (own.0.parse::<f64>().ok() != other.as_f64()).then_some("numbers")
        }
        (Kind::Str(own), Json::String(other)) => (own.value != *other).then_some("strings"),
        (Kind::Seq(own), Json::Array(other)) if own.len() == other.len() => {
            own.iter().zip(other).find_map(|(own, other)| in_json(own, other))
        }
        (Kind::Map(own), Json::Object(other)) if own.len() == other.len() => {
            own.iter().find_map(|member| match other.get(&member.key.node) {
                Some(other) => in_json(&member.value, other),
                None => Some("keys"),
            })
        }
        _ => Some("kinds"),
    }
}

/// An element as `quick-xml` has it, or as our reader has it.
#[derive(Debug, Default, PartialEq)]
struct Plain {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Plain>,
}

fn ours(element: &xml::Element<'_>) -> Plain {
    let attributes = element.attributes.iter();
    let mut plain = Plain {
        name: element.name.to_owned(),
        attributes: attributes.map(|one| (one.name.to_owned(), one.value.value.clone())).collect(),
        ..Plain::default()
    };
    for child in &element.children {
        match child {
            xml::Node::Element(child) => plain.children.push(ours(child)),
            xml::Node::Text(text, _) => plain.text.push_str(&text.value),
        }
    }
    plain
}

/// The tree of `quick-xml`, with the references resolved that XML defines.
fn theirs(text: &str) -> Result<Plain, String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut open = vec![Plain::default()];
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Eof => break,
            Event::Start(tag) => open.push(begun(&tag)?),
            Event::Empty(tag) => {
                let element = begun(&tag)?;
                open.last_mut().unwrap().children.push(element);
            }
            Event::End(_) => {
                let element = open.pop().unwrap();
                open.last_mut().ok_or("an end without a start")?.children.push(element);
            }
            Event::Text(text) => {
                let text = text.xml10_content();
                open.last_mut().unwrap().text.push_str(&text);
            }
            Event::CData(text) => {
                let text = text.xml10_content();
                open.last_mut().unwrap().text.push_str(&text);
            }
            Event::GeneralRef(reference) => {
                let own = reference.resolve_char_ref().map_err(|error| error.to_string())?;
                let name = reference.xml10_content();
                let entity = || quick_xml::escape::resolve_xml_entity(&name).map(str::to_owned);
                let text = own.map(String::from).or_else(entity).ok_or("an unknown entity")?;
                open.last_mut().unwrap().text.push_str(&text);
            }
            _ => {}
        }
    }
    let mut root = open.pop().ok_or("nothing")?;
    if !open.is_empty() || root.children.len() != 1 {
        return Err("not one root".to_owned());
    }
    Ok(root.children.remove(0))
}

fn begun(tag: &quick_xml::events::BytesStart<'_>) -> Result<Plain, String> {
    let mut plain = Plain { name: tag.name().as_ref().to_owned(), ..Plain::default() };
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Explicit1_0)
            .map_err(|error| error.to_string())?;
        plain.attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(plain)
}

#[test]
fn generated_xml_is_read_alike() {
    let mut count = 0;
    for seed in 0..documents() {
        let mut rng = Rng::new(seed ^ 0x3a17);
        let (policy, _) = generate::policies(&mut rng, Shape { plain: true, hooks: 6 }).swap_remove(0);
        let (text, losses) = write::directive_xml::write(&policy);
        if !losses.is_empty() {
            continue;
        }
        count += 1;
        let source = Text::plain(text.as_str());
        let own = xml::read(&source, Span::new(SOURCE, 0..text.len()), &mut Diagnostics::new());
        let own = ours(&own.unwrap_or_else(|| panic!("not read:\n{text}")));
        assert_eq!(Ok(own), theirs(&text), "{text}");
    }
    assert!(count * 4 > documents(), "only {count} documents");
}

/// Events with changes: the scanner and `serde_json` accept the same ones, but for what the language
/// itself rejects (exponents beyond 10,000 among it, which `serde_json` reads as 0), and for numbers beyond
/// the range of floats, where the scanner is right.
#[test]
fn changed_events_are_accepted_alike() {
    let text = "hooks: [{event: error, when: error.code == 'x', action: {type: continue}}]";
    let texts = [(text.to_owned(), hookc_schema::tree::Layer::Directive)];
    let module: Module = common::load(common::build(&texts, Dialect::HooksYaml, false, false).unwrap().bytes);
    let (mut scratch, mut tally, mut both) = (Scratch::new(), Tally::default(), [0_u64; 2]);
    for seed in 0..documents() * 20 {
        let mut rng = Rng::new(seed ^ 0x9eed);
        let mut event = generate::event(&mut rng, true).into_bytes();
        for _ in 0..rng.below(3) {
            let at = rng.below(event.len());
            match rng.below(3) {
                0 => event[at] = rng.pick(b"{}[]\",:\\0-9.eEtn\x00\x1f\x80 "),
                1 => drop(event.remove(at)),
                _ => event.truncate(at.max(1)),
            }
        }
        let own = module.decide(&mut scratch, &event, &DecideOptions::default().event("error"));
        let shown = String::from_utf8_lossy(&event).into_owned();
        match (own.map(drop), serde_json::from_slice::<serde_json::Value>(&event)) {
            (Ok(()), Ok(_)) => both[0] += 1,
            (Err(_), Err(_)) => both[1] += 1,
            (Ok(()), Err(why)) => {
                let is_range = why.to_string().contains("number out of range");
                tally.add(
                    Some(if is_range { "numbers beyond floats" } else { "only they reject it" }),
                    &shown,
                );
            }
            (Err(DecideError::Event(error)), Ok(_)) => {
                let what = match error {
                    EventError::NotAnObject => "no object",
                    EventError::Duplicate(_) => "a duplicate key",
                    EventError::Exponent(_) => "an exponent",
                    EventError::NoType => "no type",
                    _ => "only we reject it",
                };
                tally.add(Some(what), &shown);
            }
            (Err(error), Ok(_)) => panic!("{error}: {shown}"),
        }
    }
    assert!(both.iter().all(|count| *count > documents()), "{both:?}");
    let known = ["a duplicate key", "an exponent", "no object", "no type"];
    tally.expect(&["numbers beyond floats"], &known);
}
