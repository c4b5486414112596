//! The parts of SARIF 2.1.0 that hookc writes. The names are those of the standard, sections 3.13 to 3.58.

use hookc_schema::{Diagnostic, Sources, Span};
use serde::Serialize;

use crate::location::{Range, uri};

/// The base of relative URIs: the root of the checkout, from which `hookc check` is called.
const BASE: &str = "%SRCROOT%";

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) column_kind: &'static str,
    pub(super) results: Vec<Entry>,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) information_uri: &'static str,
    pub(super) rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: &'static str,
    pub(super) short_description: Text,
    pub(super) help: Help,
    pub(super) default_configuration: Configuration,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: &'static str,
    pub(super) markdown: &'static str,
}

#[derive(Serialize)]
pub(super) struct Text {
    pub(super) text: String,
}

/// A result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix>,
}

#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "hookc/v1")]
    pub(super) v1: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    description: Text,
    artifact_changes: [Change; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

impl Text {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl Artifact {
    fn new(name: &str) -> Self {
        let (uri, is_relative) = uri(name);
        Self { uri, uri_base_id: is_relative.then_some(BASE) }
    }
}

impl Region {
    fn new(span: Span, sources: &Sources) -> Self {
        let Range { start, end } = Range::new(span, sources);
        Self { start_line: start.0, start_column: start.1, end_line: end.0, end_column: end.1 }
    }
}

impl Location {
    /// A whole file.
    pub(super) fn whole(name: &str) -> Self {
        let physical_location = PhysicalLocation { artifact_location: Artifact::new(name), region: None };
        Self { id: None, physical_location, message: None }
    }

    pub(super) fn at(span: Span, sources: &Sources) -> Self {
        let artifact_location = Artifact::new(sources.name(span.source));
        let physical_location =
            PhysicalLocation { artifact_location, region: Some(Region::new(span, sources)) };
        Self { id: None, physical_location, message: None }
    }

    pub(super) fn related(id: usize, span: Span, text: &str, sources: &Sources) -> Self {
        let message = (!text.is_empty()).then(|| Text::new(text));
        Self { id: Some(id), message, ..Self::at(span, sources) }
    }
}

impl Fix {
    pub(super) fn new(diagnostic: &Diagnostic, sources: &Sources) -> Option<Self> {
        let fix = diagnostic.fix.as_ref()?;
        let replacement = Replacement {
            deleted_region: Region::new(fix.span, sources),
            inserted_content: Text::new(fix.written(sources)),
        };
        let change = Change {
            artifact_location: Artifact::new(sources.name(fix.span.source)),
            replacements: [replacement],
        };
        let description = diagnostic.help.clone().unwrap_or_else(|| diagnostic.message.clone());
        Some(Self { description: Text::new(description), artifact_changes: [change] })
    }
}
