//! Rego with `regorus`, compiled for its own VM: a program per event type, in which a set collects
//! the ranks of the matching rules. Alternatives are separate bodies, as usual in Rego.

use std::fmt::Write;
use std::sync::Arc;

use hookc_benches::rule::Leaf;
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;
use regorus::{Engine as Rego, Value as Rv};

use super::{Engine, said};
use crate::work::{Work, alternatives};

fn test(leaf: &Leaf, wanted: bool) -> String {
    let (path, value) = (format!("input.{}", leaf.path), &leaf.value);
    let plain = match leaf.op {
        "eq" | "ne" => format!("{path} == {value}"),
        "gt" => format!("{path} > {value}"),
        "gte" => format!("{path} >= {value}"),
        "lt" => format!("{path} < {value}"),
        "lte" => format!("{path} <= {value}"),
        "in" => format!("{path} in {value}"),
        "exists" => path,
        "contains" => format!("contains({path}, {value})"),
        "starts_with" => format!("startswith({path}, {value})"),
        "ends_with" => format!("endswith({path}, {value})"),
        _ => format!("regex.match({value}, {path})"),
    };
    if wanted == (leaf.op != "ne") { plain } else { format!("not {plain}") }
}

fn policy(work: &Work, ranks: &[u32]) -> String {
    let mut text = String::from("package hooks\nimport rego.v1\n");
    for rank in ranks {
        for body in alternatives(&work.rule(*rank).when, true) {
            let _ = writeln!(text, "hits contains {rank} if {{");
            for (leaf, wanted) in body {
                let _ = writeln!(text, "  {}", test(leaf, wanted));
            }
            text.push_str("}\n");
        }
    }
    text
}

const ENTRY: &str = "data.hooks.hits";

fn machine(work: &Work, ranks: &[u32]) -> Result<RegoVM, String> {
    let mut engine = Rego::new();
    engine.add_policy("hooks.rego".to_owned(), policy(work, ranks)).map_err(said)?;
    let compiled = engine.compile_with_entrypoint(&ENTRY.into()).map_err(said)?;
    let program: Arc<_> = Compiler::compile_from_policy(&compiled, &[ENTRY]).map_err(said)?;
    let mut vm = RegoVM::new();
    vm.load_program(program);
    vm.set_max_instructions(usize::MAX);
    Ok(vm)
}

struct Machines {
    machines: Vec<(&'static str, RegoVM)>,
    /// The type of each event, and the event.
    kept: Vec<(String, Rv)>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut all = Vec::new();
    for (event, ranks) in work.by_event() {
        all.push((event, machine(work, &ranks)?));
    }
    Ok(Box::new(Machines { machines: all, kept: Vec::new() }))
}

impl Engine for Machines {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let (kind, input) = input(std::str::from_utf8(event).map_err(said)?)?;
        self.first(&kind, input)
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = events.iter().map(|event| input(event)).collect::<Result<_, _>>()?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        let (kind, input) = self.kept[event].clone();
        self.first(&kind, input)
    }
}

/// The type of an event, and the event.
fn input(text: &str) -> Result<(String, Rv), String> {
    let input = Rv::from_json_str(text).map_err(said)?;
    let kind = input["event"]["type"].as_string().map_err(said)?.to_string();
    Ok((kind, input))
}

impl Machines {
    fn first(&mut self, kind: &str, input: Rv) -> Result<Option<u32>, String> {
        let Some((_, vm)) = self.machines.iter_mut().find(|(name, _)| *name == kind) else { return Ok(None) };
        vm.set_input(input);
        let hits = vm.execute().map_err(said)?;
        let Ok(hits) = hits.as_set() else { return Ok(None) };
        Ok(hits.iter().next().and_then(|rank| u32::try_from(rank.as_u64().ok()?).ok()))
    }
}
