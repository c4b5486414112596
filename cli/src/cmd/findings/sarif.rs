//! Format `sarif`: one log of SARIF 2.1.0 with all diagnostics, for code scanning.

use std::collections::BTreeMap;

use hookc_schema::{Code, Diagnostic, Severity, Sources};

use super::log::{
    Configuration, Driver, Entry, Fingerprints, Fix, Help, Location, Log, Rule, Run, Text, Tool,
};
use crate::annotations::text;
use crate::exit::Failure;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The most results: GitHub keeps no more of a run.
const RESULTS: usize = 5_000;

/// Collects results.
pub(super) struct Collector {
    /// The location of a diagnostic that has none: code scanning rejects results without one.
    root: String,
    results: Vec<(Severity, Code, Entry)>,
    /// How often each fingerprint was given.
    fingerprints: BTreeMap<String, usize>,
}

impl Collector {
    pub(super) fn new(root: String) -> Self {
        Self { root, results: Vec::new(), fingerprints: BTreeMap::new() }
    }

    /// Adds a diagnostic of the hook `hook`.
    pub(super) fn add(&mut self, diagnostic: &Diagnostic, sources: &Sources, hook: &str) {
        let span = diagnostic.span();
        let location = span.map_or_else(|| Location::whole(&self.root), |span| Location::at(span, sources));
        let related = diagnostic.labels.iter().enumerate().skip(1);
        let related = related.map(|(id, label)| Location::related(id, label.span, &label.text, sources));
        let at = span.filter(|span| !sources.is_private(span.source));
        let written = at.map(|span| sources.slice(span)).unwrap_or_default();
        let fingerprint = self.fingerprint(diagnostic.code, hook, written);
        let entry = Entry {
            related_locations: related.collect(),
            fixes: Fix::new(diagnostic, sources).into_iter().collect(),
            ..entry(diagnostic, location, fingerprint)
        };
        self.results.push((diagnostic.severity, diagnostic.code, entry));
    }

    /// A fingerprint that stays when lines move. Results that have everything in common are numbered.
    fn fingerprint(&mut self, code: Code, hook: &str, text: &str) -> String {
        let hash = blake3::hash([code.name(), hook, text].join("\0").as_bytes());
        let hash: String = hash.to_hex().chars().take(32).collect();
        let count = self.fingerprints.entry(hash.clone()).or_default();
        *count += 1;
        format!("{hash}:{count}")
    }

    /// The log as JSON.
    pub(super) fn finish(mut self) -> Result<String, Failure> {
        self.limit();
        let mut rules: Vec<Code> = self.results.iter().map(|(_, code, _)| *code).collect();
        rules.sort_by_key(|code| code.name());
        rules.dedup();
        let results = self.results.into_iter().map(|(_, code, entry)| {
            let rule_index = rules.iter().position(|rule| *rule == code).unwrap_or_default();
            Entry { rule_index, ..entry }
        });
        let results = results.collect();
        let driver = Driver {
            name: "hookc",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: rules.iter().copied().map(rule).collect(),
        };
        let run = Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results };
        let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
        let json = serde_json::to_string_pretty(&log).map_err(|error| Failure::input(error.to_string()))?;
        Ok(json + "\n")
    }

    /// Keeps the worst results, and counts the others.
    fn limit(&mut self) {
        if self.results.len() <= RESULTS {
            return;
        }
        self.results.sort_by_key(|(severity, ..)| std::cmp::Reverse(*severity));
        let omitted = self.results.split_off(RESULTS - 1);
        let mut last = Diagnostic::global(
            Code::W0648,
            format!("{} more diagnostics are omitted: SARIF has at most {RESULTS}", omitted.len()),
        );
        last.severity = omitted.first().map_or(last.severity, |(severity, ..)| *severity);
        self.add(&last, &Sources::new(), "");
    }
}

fn entry(diagnostic: &Diagnostic, location: Location, fingerprint: String) -> Entry {
    Entry {
        rule_id: diagnostic.code.name(),
        rule_index: 0,
        level: diagnostic.severity.name(),
        message: Text::new(text(diagnostic)),
        locations: [location],
        related_locations: Vec::new(),
        partial_fingerprints: Fingerprints { v1: fingerprint },
        fixes: Vec::new(),
    }
}

fn rule(code: Code) -> Rule {
    Rule {
        id: code.name(),
        short_description: Text::new(code.title()),
        help: Help { text: code.page(), markdown: code.page() },
        default_configuration: Configuration { level: code.severity().name() },
    }
}
