//! The locations in a schema: subschemas, resources, anchors.

use std::collections::HashMap;

use hookc_schema::Diagnostics;
use hookc_schema::value::{Kind, Value};

use super::{problem, uri};
use hookc_schema::keyword::{KeywordValue, value_kind};

/// A subschema with its location.
#[derive(Debug)]
pub(super) struct Location<'v> {
    /// An object or a boolean.
    pub(super) value: &'v Value,
    /// The resource that it belongs to.
    pub(super) resource: usize,
    /// The surrounding location, and the steps from there.
    pub(super) around: Option<(usize, Vec<String>)>,
}

/// A schema with its own base URI (core §4.3.5).
#[derive(Debug)]
pub(super) struct Resource<'v> {
    /// Its base URI without fragment; empty if undeclared.
    pub(super) uri: String,
    /// Its root location.
    pub(super) root: usize,
    /// Locations by `$anchor` and `$dynamicAnchor`.
    pub(super) anchors: HashMap<&'v str, usize>,
    /// The dynamic ones.
    pub(super) dynamic: HashMap<&'v str, usize>,
}

/// All locations of a schema, outer ones before inner ones; 0 is the whole.
#[derive(Debug, Default)]
pub(super) struct Index<'v> {
    pub(super) places: Vec<Location<'v>>,
    pub(super) resources: Vec<Resource<'v>>,
    by_uri: HashMap<String, usize>,
    by_value: HashMap<*const Value, usize>,
    /// By the surrounding location and the steps from there.
    by_steps: HashMap<(usize, Vec<String>), usize>,
}

/// Finds the locations of a schema. Errors of the keywords that name locations are reported.
pub(super) fn index<'v>(value: &'v Value, out: &mut Diagnostics) -> Index<'v> {
    let mut index = Index::default();
    index.resource(String::new(), 0);
    index.place(Location { value, resource: 0, around: None }, out);
    index
}

impl<'v> Index<'v> {
    /// The location of a subschema's value.
    pub(super) fn place_of(&self, value: &Value) -> Option<usize> {
        self.by_value.get(&std::ptr::from_ref(value)).copied()
    }

    /// The resource of a URI without fragment.
    pub(super) fn resource_of(&self, uri: &str) -> Option<usize> {
        self.by_uri.get(uri).copied()
    }

    /// The location that steps lead to from another one.
    pub(super) fn walk(&self, from: usize, steps: &[String]) -> Option<usize> {
        let mut at = from;
        let mut rest = steps;
        while !rest.is_empty() {
            // A keyword contains a schema, or schemas by name or by number.
            let next = |count: usize| {
                let (taken, after) = rest.split_at_checked(count)?;
                Some((*self.by_steps.get(&(at, taken.to_vec()))?, after))
            };
            (at, rest) = next(1).or_else(|| next(2))?;
        }
        Some(at)
    }

    /// A location as a JSON Pointer in a fragment.
    pub(super) fn pointer(&self, place: usize) -> String {
        let mut steps: Vec<&str> = Vec::new();
        let mut at = self.places.get(place);
        while let Some((around, steps_in)) = at.and_then(|place| place.around.as_ref()) {
            steps.extend(steps_in.iter().rev().map(String::as_str));
            at = self.places.get(*around);
        }
        let written = |step: &&str| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        format!("#{}", steps.iter().rev().map(written).collect::<String>())
    }

    fn resource(&mut self, uri: String, root: usize) -> usize {
        let number = self.resources.len();
        self.by_uri.entry(uri.clone()).or_insert(number);
        self.resources.push(Resource { uri, root, anchors: HashMap::new(), dynamic: HashMap::new() });
        number
    }

    /// Adds a location and those inside it. The nesting of a source bounds the recursion.
    fn place(&mut self, mut place: Location<'v>, out: &mut Diagnostics) {
        let number = self.places.len();
        if let Some(around) = &place.around {
            self.by_steps.insert(around.clone(), number);
        }
        let Kind::Map(members) = &place.value.kind else {
            self.by_value.insert(std::ptr::from_ref(place.value), number);
            return self.places.push(place);
        };
        if let Some(id) = place.value.get("$id") {
            place.resource = self.identified(id, &place, number, out);
        }
        let resource = place.resource;
        self.by_value.insert(std::ptr::from_ref(place.value), number);
        self.places.push(place);
        for member in members {
            match member.key.node.as_str() {
                "$anchor" => self.anchor(&member.value, number, false, out),
                "$dynamicAnchor" => self.anchor(&member.value, number, true, out),
                name => {
                    let kind = value_kind(name);
                    for (steps, value) in inside(name, &member.value, kind) {
                        self.place(Location { value, resource, around: Some((number, steps)) }, out);
                    }
                }
            }
        }
    }

    /// The resource that an `$id` starts.
    fn identified(
        &mut self,
        id: &'v Value,
        place: &Location<'v>,
        number: usize,
        out: &mut Diagnostics,
    ) -> usize {
        let Some(text) = id.as_str() else {
            out.push(problem::unfit(id.span, "`$id` must be a string", "a URI").help("write a URI"));
            return place.resource;
        };
        let base = self.resources.get(place.resource).map_or("", |resource| resource.uri.as_str());
        let resolved = uri::resolve(base, text);
        let (uri, fragment) = resolved.split_once('#').unwrap_or((&resolved, ""));
        if !fragment.is_empty() {
            let new = problem::unfit(id.span, "`$id` has a fragment", "has a fragment");
            out.push(new.help("write `$anchor` for it"));
        }
        // The whole schema can be renamed; nothing refers to it before.
        if number == 0 {
            self.resources.clear();
            self.by_uri.clear();
        } else if let Some(first) = self.by_uri.get(uri) {
            let other = self.resources.get(*first).and_then(|resource| self.places.get(resource.root));
            let new = problem::unfit(id.span, &format!("two schemas have the URI `{uri}`"), "again here");
            out.push(match other.and_then(|place| place.value.get("$id")) {
                Some(other) => new.also(other.span, "first here"),
                None => new,
            });
        }
        self.resource(uri.to_owned(), number)
    }

    fn anchor(&mut self, value: &'v Value, number: usize, dynamic: bool, out: &mut Diagnostics) {
        let keyword = if dynamic { "$dynamicAnchor" } else { "$anchor" };
        let Some(name) = value.as_str().filter(|name| is_anchor(name)) else {
            let what = format!("`{keyword}` must be a plain name");
            let help = "write a letter or `_`, then letters, digits, `-`, `_` and `.`";
            return out.push(problem::unfit(value.span, &what, "not a plain name").help(help));
        };
        let resource = self.places.get(number).and_then(|place| self.resources.get_mut(place.resource));
        let Some(resource) = resource else { return };
        if dynamic {
            resource.dynamic.insert(name, number);
        }
        if resource.anchors.insert(name, number).is_some_and(|first| first != number) {
            let what = format!("two schemas have the anchor `{name}`");
            out.push(problem::unfit(value.span, &what, "again here").help("give one another name"));
        }
    }
}

/// The subschemas of a keyword, with the steps to them. Invalid ones are reported when the keyword
/// is read.
fn inside<'v>(name: &str, value: &'v Value, kind: Option<KeywordValue>) -> Vec<(Vec<String>, &'v Value)> {
    let schema = |value: &Value| matches!(value.kind, Kind::Map(_) | Kind::Bool(_));
    let step = |steps: &[&str]| steps.iter().map(|step| (*step).to_owned()).collect::<Vec<String>>();
    let found: Vec<_> = match (kind, &value.kind) {
        (Some(KeywordValue::Schema), _) => vec![(step(&[name]), value)],
        (Some(KeywordValue::Schemas), Kind::Seq(items)) => {
            items.iter().enumerate().map(|(at, item)| (step(&[name, &at.to_string()]), item)).collect()
        }
        (Some(KeywordValue::Named), Kind::Map(members)) => {
            members.iter().map(|member| (step(&[name, &member.key.node]), &member.value)).collect()
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|(_, value)| schema(value)).collect()
}

/// Core §8.2.2.
fn is_anchor(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}
