//! Reading logs and events grows with their lines, not with the square: four times as many take about four
//! times as long.

use std::fmt::Write as _;
use std::path::Path;

use crate::common;

const TIMES: usize = 4;
const LINES: usize = 4_000;
/// What four times as many lines may take; a square takes 16 times as long.
const MOST: f64 = 8.0;

/// The processor time of a call in seconds.
fn seconds(folder: &Path, args: &str) -> f64 {
    let mut command = common::program("bash", folder);
    let line = format!("TIMEFORMAT='time %U %S'; time {{ \"$hookc\" {args} >out 2>err; }}");
    command.args(["-c", &line]).env("hookc", common::HOOKC);
    let run = common::run(&mut command, "");
    let line =
        run.err.lines().rev().find_map(|line| line.strip_prefix("time ")).unwrap_or_default().to_owned();
    let out = common::read(folder, "out");
    assert!(!out.is_empty() && run.code <= 3, "{args}: {run:?} {}", common::read(folder, "err"));
    line.split(' ').map(|part| part.replace(',', ".").parse::<f64>().unwrap()).sum()
}

fn policy() -> &'static str {
    "hooks:\n  - {id: a, event: PreToolUse, when: \"tool_input.command contains 'push'\", action: {type: deny, reason: r}}\n  \
     - {id: b, event: PreToolUse, when: \"some(c in shell(tool_input.command).commands: c.name == 'rm')\", action: {type: deny, reason: r}}\n"
}

fn events(lines: usize) -> String {
    (0..lines).fold(String::new(), |mut all, at| {
        let _ = writeln!(
            all,
            "{{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s{at}\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"rm x{at}\"}}}}"
        );
        all
    })
}

/// A decision log, as `run --log-payload` writes it.
fn log(lines: usize) -> String {
    events(lines).lines().fold(String::new(), |mut all, event| {
        let _ = writeln!(
            all,
            "{{\"time\":\"2026-11-23T10:00:00.000Z\",\"host\":\"claude\",\"event\":\"PreToolUse\",\"outcome\":\"deny\",\"hooks\":[{{\"hook\":\"b\",\
             \"action\":\"deny\"}}],\"payload\":{event}}}"
        );
        all
    })
}

#[test]
fn reading_logs_and_events_grows_linearly() {
    if hookc_corpus::left_to_full_run("the growth of time with the lines of a log") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    common::put(&folder, "hooks.yaml", policy());
    for (name, lines) in [("none", 1), ("few", LINES), ("many", LINES * TIMES)] {
        common::put(&folder, &format!("{name}.ndjson"), events(lines));
        common::put(&folder, &format!("{name}.jsonl"), log(lines));
    }
    let mut wrong = String::new();
    for args in [
        "eval hooks.yaml NAME.ndjson",
        "replay hooks.yaml NAME.ndjson",
        "replay hooks.yaml NAME.jsonl --against log",
    ] {
        let measured = |name: &str| {
            let line = args.replace("NAME", name);
            (0..3).map(|_| seconds(folder.path(), &line)).fold(f64::INFINITY, f64::min)
        };
        // Without what the start takes.
        let start = measured("none");
        let (few, many) = ((measured("few") - start).max(0.01), measured("many") - start);
        if many / few > MOST {
            let _ = writeln!(wrong, "{args}: {:.1} times as long", many / few);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
