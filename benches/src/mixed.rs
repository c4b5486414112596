//! Many kinds of rules: eight event types, one to six leaves, mostly
//! conjunctions that a scoping leaf narrows.

use std::fmt::Write;

use hookc_oracle::generate::Rng;

use crate::filler;

const EVENTS: &[&str] = &[
    "error",
    "limit",
    "context_window_pressure",
    "before_step",
    "after_step",
    "tool_call",
    "tool_result",
    "message",
];

const COMMANDS: &[&str] =
    &["rm -rf", "git push", "curl", "sudo", "npm publish", "docker run", "kubectl delete", "dd"];

pub(crate) fn hook(rng: &mut Rng, n: usize, yaml: &mut String) {
    let event = rng.pick(EVENTS);
    let scope = scope(rng);
    let more: Vec<String> = (0..rng.below(5)).map(|_| narrow(rng)).collect();
    let when = match rng.below(100) {
        0..=87 => join(&scope, " and ", &more),
        88..=96 => {
            join(&scope, " or ", &more.iter().map(|leaf| format!("({leaf} and {scope})")).collect::<Vec<_>>())
        }
        _ => format!("not ({scope} or exists(error.code) or turn_number >= 0)"),
    };
    let _ = write!(
        yaml,
        "  - id: h{n}\n    event: {event}\n    priority: {}\n    when: >-\n      {when}\n    action: {{type: fail, \
         error_message: \"hook {n}\"}}\n",
        rng.below(5)
    );
}

fn join(first: &str, with: &str, rest: &[String]) -> String {
    std::iter::once(first.to_owned()).chain(rest.iter().cloned()).collect::<Vec<_>>().join(with)
}

/// A leaf that few events satisfy.
fn scope(rng: &mut Rng) -> String {
    match rng.below(20) {
        0..=7 => format!("event.directive == 'team/directive_{}'", rng.below(2000)),
        8..=12 => format!("error.code == 'E{:03}'", rng.below(500)),
        13 => format!(
            "tool == 'tool_{}' and command contains '{} x{}'",
            rng.below(60),
            rng.pick(COMMANDS),
            rng.below(400)
        ),
        14 => format!(
            "classification.category == 'category_{}' and limit_value > {}",
            rng.below(40),
            990 + rng.below(10)
        ),
        15 => format!("command starts_with '{} y{}'", rng.pick(COMMANDS), rng.below(4000)),
        16 => format!("error.message contains 'needle-{}'", rng.below(4000)),
        17 => format!("limit_value > {}", 1_000_000 + rng.below(100_000)),
        18 => format!("command =~ '^{} z{}[0-9]+$'", rng.pick(COMMANDS), rng.below(4000)),
        _ => format!("file ends_with '/dir{}/mod.rs'", rng.below(4000)),
    }
}

/// A leaf that about half the events satisfy.
fn narrow(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => format!("turn_number > {}", rng.below(100)),
        1 => format!("cost.spend < {}.5", rng.below(20)),
        2 => {
            format!("classification.category in ['category_{}', 'category_{}']", rng.below(40), rng.below(40))
        }
        3 => "exists(error.code)".to_owned(),
        4 => format!("tool != 'tool_{}'", rng.below(60)),
        _ => format!("(turn_number <= {} or cost.tokens >= {})", rng.below(100), rng.below(5000)),
    }
}

pub(crate) fn event(rng: &mut Rng) -> String {
    let kind = rng.pick(EVENTS);
    let directive = rng.below(2000);
    let (code, tool, category) = (rng.below(500), rng.below(60), rng.below(40));
    let command = format!("{} x{} --flag value", rng.pick(COMMANDS), rng.below(400));
    let (turn, spend, tokens, limit) = (rng.below(100), rng.below(20), rng.below(5000), rng.below(1000));
    let text = filler(rng, 80);
    format!(
        "{{\"event\":{{\"type\":\"{kind}\",\"timestamp\":\"2026-11-21T10:00:00Z\",\"thread_id\":\"t-1\",\"directive\":\
         \"team/directive_{directive}\"}},\"error\":{{\"type\":\"http\",\"code\":\"E{code:03}\",\"message\":\"{text}\"}},\
         \"classification\":{{\"category\":\"category_{category}\",\"retryable\":true}},\"tool\":\"tool_{tool}\",\
         \"command\":\"{command}\",\"file\":\"src/a/b/dir{tool}/lib.rs\",\"turn_number\":{turn},\"limit_value\":{limit},\
         \"cost\":{{\"spend\":{spend}.25,\"tokens\":{tokens}}}}}"
    )
}
