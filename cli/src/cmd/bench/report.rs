//! The measurements, for people and for programs.

use std::fmt::Write;

use serde::Serialize;

use super::measure::{Modes, Times, percentile};

/// The figures; their JSON is the interface.
#[derive(Serialize)]
pub(super) struct Report {
    hooks: usize,
    events: usize,
    /// Each event is repeated.
    warm: Mode,
    /// Each event occurs once per pass over all events.
    cycling: Mode,
    /// For a policy with conditions about the past: each event is also recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<Recorded>,
    bytes_per_hook: f64,
    load_ms: f64,
    /// Mean bytes of an event.
    #[serde(skip)]
    event_bytes: usize,
}

#[derive(Serialize)]
struct Mode {
    decide_ns: Percentiles,
    floor_ns: Middle,
    ratio: f64,
}

#[derive(Serialize)]
struct Recorded {
    decide_ns: Percentiles,
    record_ns: Percentiles,
}

#[derive(Serialize)]
struct Percentiles {
    p50: f64,
    p99: f64,
}

#[derive(Serialize)]
struct Middle {
    p50: f64,
}

impl Percentiles {
    fn new(sorted: &[f64]) -> Self {
        Self { p50: round(percentile(sorted, 50), 1), p99: round(percentile(sorted, 99), 1) }
    }
}

impl Mode {
    fn new(times: &Times) -> Self {
        let (decide, floor) = (percentile(&times.decide, 50), percentile(&times.floor, 50));
        Self {
            decide_ns: Percentiles::new(&times.decide),
            floor_ns: Middle { p50: round(floor, 1) },
            ratio: round(decide / floor, 3),
        }
    }

    fn text(&self) -> String {
        let Self { decide_ns, floor_ns, ratio } = self;
        let (p50, p99, floor) = (decide_ns.p50, decide_ns.p99, floor_ns.p50);
        format!("p50 {p50} ns, p99 {p99} ns; floor {floor} ns; ratio {ratio}")
    }
}

impl Report {
    /// From samples in nanoseconds. Without hooks there are no bytes per hook (`null`).
    pub(super) fn new(
        hooks: usize,
        (events, event_bytes): (usize, usize),
        modes: &Modes,
        module_bytes: usize,
        load_ms: f64,
    ) -> Self {
        Self {
            hooks,
            events,
            warm: Mode::new(&modes.warm),
            cycling: Mode::new(&modes.cycling),
            recording: modes.recording.as_ref().map(|times| Recorded {
                decide_ns: Percentiles::new(&times.decide),
                record_ns: Percentiles::new(&times.record),
            }),
            bytes_per_hook: round(module_bytes as f64 / hooks as f64, 1),
            load_ms: round(load_ms, 4),
            event_bytes: event_bytes / events.max(1),
        }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let Self { hooks, events, event_bytes, load_ms, .. } = self;
        let each = if self.hooks == 0 { "-".to_owned() } else { self.bytes_per_hook.to_string() };
        let rows = [
            ("hooks", format!("{hooks}, {each} bytes each (stripped), loaded in {load_ms} ms")),
            ("events", format!("{events}, {event_bytes} bytes on average")),
            ("warm", self.warm.text()),
            ("cycling", self.cycling.text()),
        ];
        for (name, value) in rows {
            let _ = writeln!(text, "{name:<10}{value}");
        }
        if let Some(Recorded { decide_ns, record_ns }) = &self.recording {
            let both = format!("decide p50 {} ns, record p50 {} ns", decide_ns.p50, record_ns.p50);
            let _ = writeln!(text, "{:<10}{both}, p99 {} ns", "recording", record_ns.p99);
        }
        if self.recording.is_some() {
            text.push_str(
                "Recording: each event is decided with the history before it, and recorded in memory.\n",
            );
        }
        text.push_str(
            "Times are from the bytes of an event to the hooks that match; the floor checks UTF-8 and JSON only.\n\
             Warm: each event is repeated. Cycling: each event occurs once per pass over all events.\n",
        );
        text
    }
}

fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}
