//! How long predicates take on the judged command lines: what events do, and guards with all shipped sets about that.
//!
//! ```sh
//! CARGO_PROFILE_DEV_OPT_LEVEL=3 cargo run -p hookc-shell --example predicates
//! ```

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example that measures")]

use std::hint::black_box;
use std::time::Instant;

use hookc_shell::effects::{
    Actions, Compiled, Event, Guard, Input, PatternKind, Predicate, Project, ToolRoles, Tools, Value, Verb,
    compile, gather, shipped_sets,
};

struct Line(String);

impl Input for Line {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        if path == "command" {
            see(Value::Text(&self.0));
        }
    }
}

/// One guard for each shipped set, and what `only` permits.
fn predicates() -> Vec<(String, Predicate)> {
    let mut predicates = Vec::new();
    for set in shipped_sets() {
        let name = format!("@{}", set.name);
        let verbs: &[Verb] = match set.kind {
            PatternKind::Path => &[Verb::Read, Verb::Change],
            PatternKind::Host => &[Verb::Contact],
            PatternKind::Command => &[Verb::Run],
            PatternKind::Text => {
                predicates.push((format!("mentions({name})"), Predicate::Mentions(vec![name])));
                continue;
            }
            _ => continue,
        };
        for verb in verbs {
            let guard = Guard { of: vec![name.clone()], ..Guard::new(*verb) };
            predicates.push((format!("{}({name})", verb.plural()), Predicate::Guard(guard)));
        }
    }
    let reads =
        Guard { of: vec!["./**".to_owned()], except: vec!["@secrets".to_owned()], ..Guard::new(Verb::Read) };
    predicates.push(("only(reads('./**' except @secrets))".to_owned(), Predicate::Only(vec![reads])));
    predicates
}

/// The median and the 99th percentile of times in nanoseconds.
fn spread(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default();
    (at(0.5), at(0.99))
}

/// The least time of several calls for each event.
fn times<T>(events: &mut [T], mut call: impl FnMut(&mut T)) -> Vec<f64> {
    let mut least = vec![f64::MAX; events.len()];
    for _ in 0..5 {
        for (event, least) in events.iter_mut().zip(&mut least) {
            let started = Instant::now();
            call(event);
            *least = least.min(started.elapsed().as_secs_f64() * 1e9);
        }
    }
    least
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/shell/policies.ndjson");
    let text = std::fs::read_to_string(path)?;
    let line = |line: &str| -> Option<String> {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(value.get("line")?.as_str()?.to_owned())
    };
    let lines: Vec<Line> = text.lines().filter_map(line).map(Line).collect();
    let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
    let event = Event {
        tool: "Bash",
        host_tool: None,
        cwd: Some("/home/me/repo"),
        project: Project::Absent,
        tools: &tools,
        wrappers: &[],
    };
    let mut events: Vec<(Line, Actions)> = lines.into_iter().map(|line| (line, Actions::default())).collect();
    let (middle, most) = spread(times(&mut events, |(line, actions)| gather(&event, line, actions)));
    println!("{:>9.0} {:>9.0}  what events do", middle, most);
    let mut rows = Vec::new();
    let mut all: Vec<Compiled> = Vec::new();
    for (name, predicate) in predicates() {
        let started = Instant::now();
        let compiled = compile(&predicate, &[]).map_err(|problem| problem.message())?;
        let loading = started.elapsed().as_secs_f64() * 1e6;
        let (middle, most) =
            spread(times(&mut events, |(_, actions)| _ = black_box(compiled.holds(actions))));
        rows.push((middle, most, loading, name));
        all.push(compiled);
    }
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (middle, most, loading, name) in rows {
        println!("{middle:>9.0} {most:>9.0}  {name}, read in {loading:.0} us");
    }
    let together = times(&mut events, |(_, actions)| {
        all.iter().for_each(|compiled| _ = black_box(compiled.holds(actions)));
    });
    let (middle, most) = spread(together);
    println!("{middle:>9.0} {most:>9.0}  all of them (nanoseconds: median, 99th percentile)");
    Ok(())
}
