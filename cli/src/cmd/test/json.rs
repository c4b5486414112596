//! For programs: one JSON object with totals and cases.

use hookc_compiler::testing::{
    Case, Coverage, Exercised, Failure, HookCoverage, LeafCoverage, PatternCoverage,
};
use hookc_schema::{Diagnostic, Sources};
use serde::Serialize;

use super::session::Report;

#[derive(Serialize)]
struct Out<'r> {
    passed: usize,
    failed: usize,
    errors: Vec<OutDiagnostic<'r>>,
    warnings: Vec<OutDiagnostic<'r>>,
    cases: Vec<OutCase<'r>>,
    /// The hooks that no test exercises; omitted with `--filter`.
    #[serde(skip_serializing_if = "Option::is_none")]
    exercised: Option<OutExercised<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<OutCoverage<'r>>,
}

#[derive(Serialize)]
struct OutExercised<'r> {
    hooks: usize,
    missing: Vec<OutMissing<'r>>,
}

#[derive(Serialize)]
struct OutMissing<'r> {
    hook: &'r str,
    source: String,
}

#[derive(Serialize)]
struct OutDiagnostic<'r> {
    code: &'static str,
    message: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

#[derive(Serialize)]
struct OutCase<'r> {
    kind: &'static str,
    name: &'r str,
    source: String,
    event: Option<&'r str>,
    outcome: &'r str,
    passed: bool,
    failures: Vec<OutFailure<'r>>,
}

#[derive(Serialize)]
struct OutFailure<'r> {
    message: &'r str,
    because: &'r [String],
}

#[derive(Serialize)]
struct OutCoverage<'r> {
    seen: usize,
    outcomes: usize,
    hooks: Vec<OutHook<'r>>,
}

#[derive(Serialize)]
struct OutHook<'r> {
    hook: &'r str,
    source: String,
    matched: u64,
    not_matched: u64,
    leaves: Vec<OutLeaf<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patterns: Vec<OutPattern<'r>>,
}

#[derive(Serialize)]
struct OutPattern<'r> {
    pattern: &'r str,
    source: String,
    starts_selection: bool,
    happened: u64,
    not_happened: u64,
}

#[derive(Serialize)]
struct OutLeaf<'r> {
    leaf: &'r str,
    source: String,
    held: u64,
    not_held: u64,
}

/// The report as one line of JSON.
pub(super) fn json<'r>(report: &'r Report) -> String {
    let sources = &report.sources;
    let one = |one: &'r Diagnostic| OutDiagnostic {
        code: one.code.name(),
        message: &one.message,
        source: one.span().map(|span| sources.location(span)),
    };
    let out = Out {
        passed: report.cases.len() - report.failed(),
        failed: report.failed(),
        errors: report.errors().map(one).collect(),
        warnings: report.warnings().map(one).collect(),
        cases: report.cases.iter().map(|one| case(one, sources)).collect(),
        exercised: report.exercised.as_ref().map(|counts| exercised(counts, sources)),
        coverage: report.coverage.as_ref().map(|counts| coverage(counts, sources)),
    };
    // Every part can be represented in JSON.
    serde_json::to_string(&out).unwrap_or_default() + "\n"
}

fn exercised<'r>(counts: &'r Exercised, sources: &Sources) -> OutExercised<'r> {
    let missing = counts.missing().into_iter();
    let missing = missing.map(|(hook, span)| OutMissing { hook, source: sources.location(span) });
    OutExercised { hooks: counts.total(), missing: missing.collect() }
}

fn case<'r>(case: &'r Case, sources: &Sources) -> OutCase<'r> {
    let failure = |failure: &'r Failure| OutFailure { message: &failure.message, because: &failure.because };
    OutCase {
        kind: case.kind.name(),
        name: &case.name,
        source: sources.location(case.span),
        event: case.event.as_deref(),
        outcome: &case.outcome,
        passed: case.passed(),
        failures: case.failures.iter().map(failure).collect(),
    }
}

fn coverage<'r>(counts: &'r Coverage, sources: &Sources) -> OutCoverage<'r> {
    let (seen, outcomes) = counts.outcomes();
    let hook = |hook: &'r HookCoverage| OutHook {
        hook: &hook.label,
        source: sources.location(hook.span),
        matched: hook.matched.yes,
        not_matched: hook.matched.no,
        leaves: hook.leaves.iter().map(|one| leaf(one, sources)).collect(),
        patterns: hook.patterns.iter().map(|one| pattern(one, sources)).collect(),
    };
    OutCoverage { seen, outcomes, hooks: counts.hooks().into_iter().map(hook).collect() }
}

fn leaf<'r>(leaf: &'r LeafCoverage, sources: &Sources) -> OutLeaf<'r> {
    OutLeaf {
        leaf: &leaf.text,
        source: sources.location(leaf.span),
        held: leaf.held.yes,
        not_held: leaf.held.no,
    }
}

fn pattern<'r>(pattern: &'r PatternCoverage, sources: &Sources) -> OutPattern<'r> {
    OutPattern {
        pattern: &pattern.text,
        source: sources.location(pattern.span),
        starts_selection: pattern.is_anchor,
        happened: pattern.happened.yes,
        not_happened: pattern.happened.no,
    }
}
