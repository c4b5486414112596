//! One policy at all agents: ten guards on what an action does decide alike about the same deed, whatever tool of
//! whatever agent does it. `corpus/agents` has a documented sample of each agent's events.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use hookc_compiler::{Input, Options, compile};
use hookc_runtime::adapter::{self, Adapter};
use hookc_runtime::bridge::{Invocation, run};
use hookc_runtime::history::HistoryOptions;
use hookc_vm::Module;
use serde::Deserialize;
use serde_json::Value;

/// Samples of an agent's events.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Samples {
    /// Where they are documented.
    source: String,
    /// The event before each tool of the vocabulary that the agent has, with places for its inputs. A note can follow the
    /// name of the tool.
    pub(crate) tools: BTreeMap<String, Value>,
    /// Other events, by the agent's names.
    pub(crate) events: BTreeMap<String, Value>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/agents")
}

pub(crate) fn samples(host: &dyn Adapter) -> Option<Samples> {
    let text = fs::read_to_string(folder().join(format!("{}.json", host.name()))).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", host.name())))
}

/// A deed, its tool, and the inputs of that.
type Deed = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What an agent does: a tool, and the place of its input with the text there.
const DEEDS: &[Deed] = &[
    ("edits a workflow", "Edit", &[("$PATH", "/p/.github/workflows/ci.yml")]),
    ("writes a workflow", "Write", &[("$PATH", "/p/.github/workflows/new.yml")]),
    (
        "edits a workflow by a command",
        "Bash",
        &[("$COMMAND", "cd .github && sed -i s/a/b/ workflows/ci.yml")],
    ),
    ("reads a secret", "Read", &[("$PATH", "/p/.env")]),
    ("prints a secret", "Bash", &[("$COMMAND", "cat .env")]),
    ("pushes main", "Bash", &[("$COMMAND", "git push origin HEAD:main")]),
    ("fetches a page of a blocked host", "WebFetch", &[("$URL", "https://a.evil.example/x")]),
    ("fetches it by a command", "Bash", &[("$COMMAND", "curl -s https://a.evil.example/x")]),
    ("installs a package", "Bash", &[("$COMMAND", "npm install left-pad")]),
    ("deletes the sources", "Bash", &[("$COMMAND", "rm -rf src")]),
    ("publishes", "Bash", &[("$COMMAND", "npm publish")]),
    ("writes a file of the system", "Write", &[("$PATH", "/etc/hosts")]),
    ("appends to it by a command", "Bash", &[("$COMMAND", "echo x >> /etc/hosts")]),
    ("writes a key", "Write", &[("$PATH", "/p/notes.txt"), ("$TEXT", "-----BEGIN RSA PRIVATE KEY-----")]),
    ("edits a lock file", "Edit", &[("$PATH", "/p/package-lock.json")]),
    ("reads the README", "Read", &[("$PATH", "/p/README.md")]),
    ("runs the tests", "Bash", &[("$COMMAND", "cargo test")]),
    ("edits a source file", "Edit", &[("$PATH", "/p/src/main.rs")]),
    ("fetches a page", "WebFetch", &[("$URL", "https://docs.example.org/x")]),
];

/// The sample with the inputs of a deed in their places.
pub(crate) fn filled(sample: &Value, inputs: &[(&str, &str)]) -> Value {
    match sample {
        Value::String(text) => {
            let known = inputs.iter().chain(&[("$OLD", "old"), ("$TEXT", "new"), ("$PATH", "/p/a")]);
            known.fold(text.clone(), |text, (place, input)| text.replace(place, input)).into()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, inputs)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), filled(value, inputs)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// The tool of a sample, which can have a note: `Edit (version 3)`.
pub(crate) fn base(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}

fn module() -> Vec<u8> {
    compiled(&fs::read_to_string(folder().join("guards.yaml")).unwrap())
}

pub(crate) fn compiled(policy: &str) -> Vec<u8> {
    let mut sources = hookc_schema::Sources::new();
    let input = Input::new(sources.add("guards.yaml", policy));
    compile(&mut sources, &[input], &Options::default()).module.unwrap()
}

/// The guards that deny an event, as the answer says it.
fn verdict(host: &'static dyn Adapter, module: &[u8], event: &Value) -> String {
    verdict_after(host, module, event, None)
}

/// Like [`verdict`], with what happened before.
fn verdict_after(
    host: &'static dyn Adapter,
    module: &[u8],
    event: &Value,
    history: Option<HistoryOptions>,
) -> String {
    let before = host.agent().native("PreToolUse").map(|event| event.name.clone());
    let mut invocation = Invocation::new(host);
    invocation.project = Some(PathBuf::from("/p"));
    invocation.history = history;
    if host.agent().settings.as_ref().is_some_and(|settings| settings.unnamed_events) {
        invocation.event = before;
    }
    let module = module.to_vec();
    let answer = run(invocation, event.to_string().into_bytes(), || Module::load(module));
    let text = format!("{}{}", answer.stdout, answer.stderr);
    let guard = text.split("guard-").nth(1);
    let guard = guard.and_then(|rest| rest.split(|c: char| !c.is_ascii_lowercase()).next());
    // Without a guard, nothing may be said but what the agent needs in any case.
    assert!(guard.is_some() || answer.code == 0, "{}: {text}", host.name());
    guard.unwrap_or_default().to_owned()
}

/// With another id of its use of a tool, if the agent has one.
fn with_use(event: &Value, number: usize) -> Value {
    let mut event = event.clone();
    for pointer in ["/tool_use_id", "/toolUseId", "/tool_call_id", "/tool_call/id", "/tool/callId"] {
        if let Some(id) = event.pointer_mut(pointer) {
            *id = format!("use-{number}").into();
        }
    }
    event
}

const PAST: &str = r#"
hooks:
  - id: guard-secret
    event: PreToolUse
    when: may_contact() and formerly(PreToolUse where may_read(@secrets))
    action: {type: deny, reason: "guard-secret"}
  - id: guard-loop
    event: PreToolUse
    when: count(PreToolUse where tool_name == now.tool_name and tool_input == now.tool_input) >= 2
    action: {type: deny, reason: "guard-loop"}
"#;

/// Samples without a session.
const WITHOUT_SESSION: &[(&str, &str)] = &[("kiro", "Bash")];

/// The samples of commands, with the adapters of their agents.
fn commands() -> Vec<(&'static dyn Adapter, String, Value)> {
    let agents = adapter::all().filter_map(|host| Some((host, samples(host)?)));
    let of_agent = |(host, samples): (&'static dyn Adapter, Samples)| {
        let tools = samples.tools.into_iter().filter(|(name, _)| base(name) == "Bash");
        tools.map(move |(name, sample)| (host, name, sample))
    };
    agents.flat_map(of_agent).collect()
}

#[test]
fn sessions_of_all_agents_have_a_history() {
    let (module, mut with_session) = (compiled(PAST), 0);
    for (host, tool, sample) in commands() {
        let folder = tempfile::tempdir().unwrap();
        let options = HistoryOptions::new(folder.path(), host.name(), &[]);
        let mut number = 0;
        let mut on = |command: &str| {
            number += 1;
            let event = with_use(&filled(&sample, &[("$COMMAND", command)]), number);
            verdict_after(host, &module, &event, Some(options.clone()))
        };
        let name = format!("{}, {tool}", host.name());
        if WITHOUT_SESSION.contains(&(host.name(), &tool)) {
            // The first call repeats nothing: it is denied because what happened before is unknown.
            assert_eq!([on("make"), on("ls")], ["loop", "loop"], "{name}");
            continue;
        }
        assert_eq!([on("make"), on("make"), on("make")], ["", "", "loop"], "{name}");
        assert_eq!(on("curl https://example.com"), "", "{name}: nothing secret was read");
        assert_eq!(on("cat .env"), "", "{name}");
        assert_eq!(on("curl https://example.com/x"), "secret", "{name}");
        assert_eq!(on("ls"), "", "{name}");
        with_session += 1;
    }
    assert!(with_session > 10, "{with_session} samples with a session");
}

#[test]
fn one_policy_decides_alike_at_all_agents() {
    let module = module();
    let hosts: Vec<_> = adapter::all().filter_map(|host| Some((host, samples(host)?))).collect();
    let mut table = String::from(
        "# Ten guards at all agents\n\nWhat the policy [guards.yaml](guards.yaml) decides about the same deed at each agent: the \
         guard that denies it, `-` if it passes, nothing if the agent has no such tool. A test of hookc-runtime makes this table \
         from the samples in this directory and fails if two agents differ; `BLESS=1 cargo test -p hookc-runtime deeds` refreshes it.\n\n",
    );
    let names: Vec<&str> = hosts.iter().map(|(host, _)| host.name()).collect();
    let _ = writeln!(table, "| deed | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    let mut wrong = Vec::new();
    // In a short run some of the rows, unless it writes the table.
    let share = if std::env::var_os("BLESS").is_some() { 1 } else { hookc_corpus::effort(1, 4) };
    for (deed, tool, inputs) in DEEDS.iter().step_by(share) {
        let mut cells = Vec::new();
        for (host, samples) in &hosts {
            let of_tool = samples.tools.iter().filter(|(name, _)| base(name) == *tool);
            let mut verdicts: Vec<String> =
                of_tool.map(|(_, sample)| verdict(*host, &module, &filled(sample, inputs))).collect();
            verdicts.dedup();
            assert!(verdicts.len() < 2, "{} {deed}: {verdicts:?}", host.name());
            cells.push(verdicts.pop());
        }
        let mut known = cells.iter().flatten();
        let first = known.next().cloned().unwrap_or_default();
        if known.any(|other| *other != first) {
            wrong.push(format!("{deed}: {cells:?}"));
        }
        let cell = |cell: &Option<String>| {
            cell.as_ref().map_or("", |text| if text.is_empty() { "-" } else { text }).to_owned()
        };
        let _ = writeln!(table, "| {deed} | {} |", cells.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
    assert!(wrong.is_empty(), "agents differ: {wrong:#?}");
    let path = folder().join("deeds.md");
    if share == 1 {
        return hookc_corpus::expect(&path, &table).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    let missing: Vec<_> =
        table.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    assert_eq!(missing, [""; 0]);
}

const FIELDS: &str = r#"
hooks:
  - {id: command, event: PreToolUse, when: "tool_input.command starts_with 'rm -rf'", action: {type: deny, reason: guard-command}}
  - id: shell
    event: PreToolUse
    when: "some(c in shell(tool_input.command).commands: c.name == 'npm' and c.args[0] == 'publish')"
    action: {type: deny, reason: guard-shell}
  - {id: file, event: PreToolUse, when: "tool_name == 'Read' and tool_input.file_path ends_with '.env'", action: {type: deny, reason: guard-file}}
  - {id: url, event: PreToolUse, when: "tool_input.url contains '.evil.example'", action: {type: deny, reason: guard-url}}
"#;

/// Guards on the inputs themselves, which an agent can send under other names and in lists.
#[test]
fn guards_on_inputs_decide_alike_at_all_agents() {
    let module = compiled(FIELDS);
    let expected = [
        ("deletes the sources", "command"),
        ("publishes", "shell"),
        ("reads a secret", "file"),
        ("fetches a page of a blocked host", "url"),
        ("runs the tests", ""),
        ("reads the README", ""),
        ("fetches a page", ""),
    ];
    let mut checked = 0;
    for (deed, guard) in expected {
        let (_, tool, inputs) = DEEDS.iter().find(|(name, ..)| *name == deed).unwrap();
        for (host, samples) in adapter::all().filter_map(|host| Some((host, samples(host)?))) {
            let of_tool = samples.tools.iter().filter(|(name, _)| base(name) == *tool);
            // Not a prompt with the address in it.
            let is_input = |sample: &Value| sample.to_string().contains(&format!("\"{}", inputs[0].0));
            for (name, sample) in of_tool.filter(|(_, sample)| is_input(sample)) {
                let verdict = verdict(host, &module, &filled(sample, inputs));
                assert_eq!(verdict, guard, "{} {name}: {deed}", host.name());
                checked += 1;
            }
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn every_sample_is_an_event_of_its_agent() {
    let mut read = 0;
    for host in adapter::all() {
        let Some(Samples { source, tools, events }) = samples(host) else { continue };
        assert!(source.contains("2026"), "{}: {source}", host.name());
        let agent = host.agent();
        for (tool, sample) in &tools {
            let stated = agent.native("PreToolUse").map(|event| event.name.as_str());
            let stated =
                stated.filter(|_| agent.settings.as_ref().is_some_and(|settings| settings.unnamed_events));
            let incoming = host.read(filled(sample, &[]).to_string().into_bytes(), stated);
            let incoming = incoming.unwrap_or_else(|error| panic!("{} {tool}: {error}", host.name()));
            assert_eq!(incoming.name, "PreToolUse", "{} {tool}", host.name());
            assert_eq!(incoming.event.text("tool_name").as_deref(), Some(base(tool)), "{}", host.name());
            read += 1;
        }
        for (name, sample) in &events {
            let listed = agent.event(name).unwrap_or_else(|| panic!("{} has no event {name}", host.name()));
            let incoming = host.read(sample.to_string().into_bytes(), Some(name));
            let incoming = incoming.unwrap_or_else(|error| panic!("{} {name}: {error}", host.name()));
            assert_eq!((&incoming.native, &incoming.name), (name, &listed.event), "{}", host.name());
            if listed.event == "UserPromptSubmit" {
                assert!(incoming.event.text("prompt").is_some(), "{} {name} has no prompt", host.name());
            }
            read += 1;
        }
    }
    assert!(read > 40, "{read}");
}

#[test]
fn an_agent_that_reads_the_hooks_of_another_one_is_recognized() {
    let module = module();
    let mut checked = 0;
    for sender in adapter::all() {
        let (Some(samples), Some(settings)) = (samples(sender), &sender.agent().settings) else { continue };
        let reads = |host: &&dyn Adapter| {
            let file = host.agent().settings.as_ref().map(|settings| &settings.project);
            file.is_some_and(|file| settings.foreign.contains(file))
        };
        for host in adapter::all().filter(reads) {
            for (tool, sample) in &samples.tools {
                let sent = filled(sample, &[("$COMMAND", "npm publish"), ("$PATH", "/p/.env")]).to_string();
                let before = sender.agent().native("PreToolUse").map(|event| event.name.clone());
                let answers = [(sender, before), (host, None)].map(|(called, event)| {
                    let mut invocation = Invocation::new(called);
                    invocation.event = event;
                    run(invocation, sent.clone().into_bytes(), || Module::load(module.clone()))
                });
                let label = format!("{} at {}: {tool}", sender.name(), host.name());
                assert_eq!(answers[0].stdout.to_string(), answers[1].stdout.to_string(), "{label}");
                checked += usize::from(answers[0].stdout.to_string().contains("guard-"));
            }
        }
    }
    assert!(checked > 5, "{checked}");
}
