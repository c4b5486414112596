//! One equality on a high-cardinality path per hook.

use std::fmt::Write;

use hookc_oracle::generate::Rng;

use crate::filler;

pub(crate) fn hook(rng: &mut Rng, n: usize, yaml: &mut String) {
    let turns = rng.below(200);
    let _ = write!(
        yaml,
        "  - id: h{n}\n    event: error\n    condition:\n      all:\n        - {{path: event.directive, op: eq, value: \
         team/directive_{n}}}\n        - {{path: turn_number, op: gt, value: {turns}}}\n    action: {{type: fail, \
         error_message: \"hook {n}\"}}\n"
    );
}

pub(crate) fn event(rng: &mut Rng, hooks: usize) -> String {
    let (directive, turn) = (rng.below(hooks * 2), rng.below(300));
    let (thread, text) = (rng.below(1_000_000), filler(rng, 110));
    format!(
        "{{\"event\":{{\"type\":\"error\",\"timestamp\":\"2026-11-21T10:00:00Z\",\"thread_id\":\"t-{thread}\",\
         \"directive\":\"team/directive_{directive}\"}},\"error\":{{\"type\":\"http\",\"code\":\"http_500\",\
         \"message\":\"{text}\"}},\"classification\":{{\"category\":\"transient\",\"retryable\":true}},\
         \"turn_number\":{turn},\"cost\":{{\"spend\":0.25,\"tokens\":1234}}}}"
    )
}
