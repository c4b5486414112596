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

struct Machines(Vec<(&'static str, RegoVM)>);

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut all = Vec::new();
    for (event, ranks) in work.by_event() {
        all.push((event, machine(work, &ranks)?));
    }
    Ok(Box::new(Machines(all)))
}

impl Engine for Machines {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let text = std::str::from_utf8(event).map_err(said)?;
        let input = Rv::from_json_str(text).map_err(said)?;
        let kind = input["event"]["type"].as_string().map_err(said)?.to_string();
        let Some((_, vm)) = self.0.iter_mut().find(|(name, _)| *name == kind) else { return Ok(None) };
        vm.set_input(input);
        let hits = vm.execute().map_err(said)?;
        let Ok(hits) = hits.as_set() else { return Ok(None) };
        Ok(hits.iter().next().and_then(|rank| u32::try_from(rank.as_u64().ok()?).ok()))
    }
}
