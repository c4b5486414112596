//! The published schemas against what compiles and what does not.

use hookc_compiler::testing;
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::agents::Id;
use hookc_schema::publish::Schema;
use hookc_schema::tree::print;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Sources};
use hookc_syntax::front::{detect, settings_value, yaml};
use jsonschema::Validator;
use serde_json::Value;

/// What no schema can check: the notation, the languages in strings, the schemas of `matches`, and
/// relations between parts of a file or between files.
const BEYOND: &[Code] = &[
    Code::E0314,
    Code::E0102,
    Code::E0301,
    Code::E0302,
    Code::E0303,
    Code::E0304,
    Code::E0305,
    Code::E0306,
    Code::E0307,
    Code::E0308,
    Code::E0309,
    Code::E0311,
    Code::E0312,
    Code::E0404,
    Code::E0444,
    Code::E0445,
    Code::E0446,
    Code::E0447,
    Code::E0448,
    Code::E0449,
    Code::E0450,
    Code::E0451,
    Code::E0452,
    Code::E0453,
    Code::E0454,
    Code::E0455,
    Code::E0456,
    Code::E0457,
    Code::E0458,
    Code::E0459,
    Code::E0460,
    Code::E0461,
    Code::E0410,
    Code::E0428,
    Code::E0411,
    Code::E0412,
    Code::E0417,
    Code::E0419,
    Code::E0420,
    Code::E0421,
    Code::E0422,
    Code::E0423,
    Code::E0435,
    Code::E0442,
    Code::E0501,
    Code::E0502,
    Code::E0503,
];

fn validator(schema: Schema) -> Validator {
    let schema: Value = serde_json::from_str(&schema.text()).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap()
}

/// A YAML text as JSON; `None` if it is not YAML.
fn json(text: &str) -> Option<Value> {
    let mut reported = Diagnostics::new();
    let value = yaml::read(text, SourceId(0), &mut reported)?;
    serde_json::from_str(&print::json(&value)).ok().filter(|_| !reported.iter().any(Diagnostic::is_error))
}

fn problems(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn errors(name: &str, text: &str) -> Vec<Code> {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input::new(source).with_dialect(Dialect::HooksYaml)];
    let compiled = compile(&mut sources, &inputs, &Options::default());
    compiled.diagnostics.iter().filter(|reported| reported.is_error()).map(|reported| reported.code).collect()
}

/// Whether a text uses legacy syntax.
fn older(text: &str) -> bool {
    let mut out = Diagnostics::new();
    hookc_syntax::front::hooks_yaml::read(text, hookc_schema::SourceId(0), &mut out);
    let codes = [Code::N0270, Code::W0272, Code::N0273, Code::N0274];
    out.iter().any(|reported| codes.contains(&reported.code))
}

/// Every YAML text of the corpus: its name and itself.
fn corpus() -> Vec<(String, String)> {
    let kinds = ["eval", "stages", "parity", "fmt", "reject"];
    let mut texts = Vec::new();
    for kind in kinds {
        for case in hookc_corpus::cases(kind).unwrap() {
            let other =
                |file: &str| ["workflow", "repository", "skill"].iter().any(|name| file.contains(name));
            let yaml = case.files.iter().filter(|file| file.ends_with(".yaml") && !other(file));
            texts.extend(yaml.map(|file| (format!("{kind}/{}/{file}", case.name), case.text(file).unwrap())));
        }
    }
    texts
}

#[test]
fn the_schema_accepts_what_compiles() {
    let schema = validator(Schema::Hooks);
    let (mut valid, mut refused, mut wrong) = (0, 0, Vec::new());
    for (name, text) in corpus() {
        let Some(value) = json(&text) else { continue };
        let (errors, problems) = (errors(&name, &text), problems(&schema, &value));
        // The schema is that of today's notation.
        if errors.is_empty() && older(&text) {
            continue;
        }
        // In JSON, a value that is not written is a null like any other.
        let is_unwritten = name.contains("E0206-value-not-written");
        // The schema does not read the text of `when`.
        let is_text = name.contains("E0401-is-not-and-like") || name.contains("E0302-");
        let seen = !is_unwritten && !is_text && errors.iter().any(|code| !BEYOND.contains(code));
        match (errors.is_empty(), problems.is_empty()) {
            (true, true) => valid += 1,
            (true, false) => wrong.push(format!("{name} compiles:\n  {}", problems.join("\n  "))),
            (false, true) if seen => wrong.push(format!("{name} is valid, but: {errors:?}")),
            (false, _) => refused += usize::from(seen),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(valid > 20 && refused > 15, "{valid} valid, {refused} refused");
}

/// The YAML fences of a Markdown text with hooks.
fn blocks(text: &str) -> Vec<String> {
    let fences =
        text.split("```yaml\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0.to_owned()));
    fences.filter(|block| block.contains("hooks:\n") && block.contains("event:")).collect()
}

#[test]
fn real_policies_that_compile_are_valid() {
    let Some(root) = hookc_corpus::shared() else { return };
    let schema = validator(Schema::Hooks);
    let mut policies = 0;
    for entry in std::fs::read_dir(root.join("seeds")).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        for block in blocks(&text) {
            let Some(value) = json(&block) else { continue };
            let errors = errors("seed", &block);
            if errors.is_empty() || errors.iter().all(|code| BEYOND.contains(code)) {
                policies += 1;
                let problems = problems(&schema, &value);
                assert!(problems.is_empty(), "{}:\n{block}", problems.join("\n"));
            }
        }
    }
    eprintln!("{policies} policies");
}

#[test]
fn an_event_is_valid_where_its_fields_are_as_declared() {
    let schema = validator(Schema::Event);
    let event = |text: &str| problems(&schema, &serde_json::from_str(text).unwrap());
    assert!(event(r#"{"event": {"type": "limit"}, "limit_code": "x", "other": 1}"#).is_empty());
    assert!(event(r#"{"event": {"type": "limit", "limit_value": 1.5}}"#).is_empty());
    assert!(event(r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}"#).is_empty());
    assert!(event(r#"{"event_type": "made_up", "limit_code": 1}"#).is_empty());
    // `event.type` is the type, whatever `event_type` contains.
    assert!(event(r#"{"event": {"type": "error"}, "event_type": "limit", "limit_code": 1}"#).is_empty());
    assert!(!event(r#"{"event": {"type": "limit"}, "limit_code": 1}"#).is_empty());
    assert!(!event(r#"{"event": {"type": "limit", "limit_code": 1}}"#).is_empty());
    assert!(!event(r#"{"limit_code": "x"}"#).is_empty());
    assert!(!event("[]").is_empty());
}

#[test]
fn each_action_kind_accepts_only_its_parameters() {
    let schema = validator(Schema::Hooks);
    let action = |text: &str| {
        let file = format!("hooks: [{{event: error, action: {text}}}]");
        (errors("x", &file).is_empty(), problems(&schema, &json(&file).unwrap()).is_empty())
    };
    let good = [
        "{type: retry, max_attempts: 2}",
        "{type: retry, max_attempts: '${limit_value}'}",
        "{type: retry, backoff_policy: fixed, delay: 1.5}",
        "{type: retry, backoff_policy: '${limit_code}'}",
        "{type: run, argv: [ls]}",
        "{type: emit_event, event_type: 'a ${turn_number}', payload: {a: [1]}}",
        "{type: inject, value: null}",
    ];
    let bad = [
        "{type: retry, max_attempts: 0}",
        "{type: retry, max_attempts: 1.5}",
        "{type: retry, max_attempts: '2'}",
        "{type: retry, max_attempts: 'n${limit_value}'}",
        "{type: retry, backoff_policy: fixed}",
        "{type: retry, backoff_policy: slow}",
        "{type: run, argv: [ls], command: ls}",
        "{type: run}",
        "{type: emit_event}",
        "{type: unheard_of}",
        "{type: abort, why: x}",
        "{}",
    ];
    for text in good {
        assert_eq!(action(text), (true, true), "{text}");
    }
    for text in bad {
        assert_eq!(action(text), (false, false), "{text}");
    }
    let own = "action_types: {page: {parameters: {who: {type: string}}}, abort: {parameters: {why: {type: string}}}}\n\
               hooks: [{event: error, action: {type: page, who: me}}, {event: error, action: {type: abort, why: x}}]";
    assert_eq!(errors("x", own), []);
    assert_eq!(problems(&schema, &json(own).unwrap()), Vec::<String>::new());
}

/// Every file in a directory tree with this suffix.
fn files(folder: &std::path::Path, end: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found
}

/// Whether the reader accepts a test file, and the schema's result for it.
fn test_file(schema: &Validator, text: &str) -> (bool, Vec<String>) {
    let mut reported = Diagnostics::new();
    let suite = testing::read(text, SourceId(0), &mut reported);
    let taken = suite.is_some() && !reported.iter().any(Diagnostic::is_error);
    (taken, problems(schema, &json(text).unwrap()))
}

#[test]
fn test_files_are_valid_as_they_are_read() {
    let schema = validator(Schema::Test);
    let real = files(&hookc_corpus::root(), ".test.yaml");
    assert!(!real.is_empty());
    for path in real {
        let found = test_file(&schema, &std::fs::read_to_string(&path).unwrap());
        assert_eq!(found, (true, Vec::new()), "{}", path.display());
    }
    let file = |test: &str| format!("policy: p.yaml\ntests: [{test}]");
    let expecting = |expect: &str| file(&format!("{{event: {{}}, expect: {expect}}}"));
    for text in [
        "policy: [a, b]\nlayers: {managed: x}\nbuiltin: false\ntests: []".to_owned(),
        file("{name: n, events: [{a: 1}, '{}'], type: limit, expect: none}"),
        expecting("[a, {hook: b, action: retry, action_error: false}]"),
        expecting("{hook: a, action: {type: retry}, reported: [b]}"),
        expecting("{hooks: [a]}"),
        expecting("deny"),
        expecting("{ask: why, hooks: [a]}"),
        expecting("{error: true}"),
        expecting("{error: schema_steps}"),
    ] {
        assert_eq!(test_file(&schema, &text), (true, Vec::new()), "{text}");
    }
    for text in [
        "policy: p.yaml".to_owned(),
        "tests: []".to_owned(),
        "policy: p.yaml\ntests: []\nmore: 1".to_owned(),
        file("{event: {}}"),
        file("{expect: none}"),
        file("{event: {}, events: [{}], expect: none}"),
        file("{event: {}, expect: none, why: x}"),
        expecting("{hook: a, hooks: [a]}"),
        expecting("{deny: a, ask: b}"),
        expecting("{deny: true}"),
        expecting("{error: true, deny: a}"),
        expecting("{error: no_reason}"),
        expecting("{error: true, hook: a}"),
        expecting("{action: retry}"),
        expecting("[{action: retry}]"),
        expecting("{}"),
    ] {
        let (taken, problems) = test_file(&schema, &text);
        assert!(!taken && !problems.is_empty(), "{text}\ntaken: {taken}, {problems:?}");
    }
}

/// A file of an agent as JSON, without repeated members; `None` if it cannot be parsed.
fn settings_json(name: &str, text: &str) -> Option<Value> {
    let mut reported = Diagnostics::new();
    let value = settings_value(name, text, SourceId(0), &mut reported)?;
    serde_json::from_str(&print::json(&value)).ok().filter(|_| !reported.iter().any(Diagnostic::is_error))
}

/// The schema of a dialect whose files agents own.
fn of_agent(dialect: Dialect) -> Option<Schema> {
    match dialect {
        Dialect::Settings => Some(Schema::Agent(Id::Claude)),
        Dialect::Agent(id) => Some(Schema::Agent(id)),
        _ => None,
    }
}

/// What is wrong with the shape of a file: a type, a missing key, two keys that exclude each other.
const SHAPE: &[Code] = &[Code::E0201, Code::E0202, Code::E0203, Code::E0205];

/// Compares the schemas of agents with files by name; counts those accepted and those rejected.
fn compare_agents(files: impl IntoIterator<Item = (String, String)>) -> (usize, usize) {
    let validators: Vec<_> = Id::ALL
        .iter()
        .filter_map(|id| {
            let schema = Schema::all().find(|schema| *schema == Schema::Agent(*id))?;
            Some((schema, validator(schema)))
        })
        .collect();
    let (mut accepted, mut rejected, mut wrong) = (0, 0, Vec::new());
    for (name, text) in files {
        let Some(dialect) = detect::detect(&name, &text) else { continue };
        let Some(schema) = of_agent(dialect) else { continue };
        let (_, schema) = validators.iter().find(|(own, _)| *own == schema).unwrap();
        let Some(value) = settings_json(&name, &text) else { continue };
        let mut sources = Sources::new();
        let source = sources.add(name.as_str(), text);
        let compiled = compile(&mut sources, &[Input::new(source)], &Options::default());
        let errors = compiled.diagnostics.iter().filter(|new| new.is_error()).map(|new| new.code);
        let errors: Vec<Code> = errors.collect();
        let problems = problems(schema, &value);
        match (errors.is_empty(), problems.is_empty()) {
            (true, true) => accepted += 1,
            (true, false) => wrong.push(format!("{name} compiles:\n  {}", problems.join("\n  "))),
            (false, true) if errors.iter().any(|code| SHAPE.contains(code)) => {
                wrong.push(format!("{name} is valid, but: {errors:?}"));
            }
            (false, _) => rejected += usize::from(!problems.is_empty()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (accepted, rejected)
}

#[test]
fn the_schemas_of_agents_accept_what_compiles() {
    let mut all = Vec::new();
    for kind in ["accept", "parity", "stages", "reject", "recipes"] {
        for case in hookc_corpus::cases(kind).unwrap() {
            let data = case.files.iter().filter(|file| file.ends_with(".json"));
            all.extend(data.map(|file| (format!("{kind}/{}/{file}", case.name), case.text(file).unwrap())));
        }
    }
    let (accepted, rejected) = compare_agents(all);
    assert!(accepted > 20 && rejected > 5, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn the_schemas_of_agents_accept_real_files() {
    let Some(root) = hookc_corpus::shared() else { return };
    let paths = files(&root.join("wild"), ".json").into_iter().chain(files(&root.join("hooks"), ".json"));
    let texts =
        paths.filter_map(|path| Some((path.display().to_string(), std::fs::read_to_string(&path).ok()?)));
    let (accepted, rejected) = compare_agents(texts);
    eprintln!("{accepted} accepted, {rejected} rejected");
    assert!(accepted > 0);
}

/// The schema has the keys of the rows of programs, which its crate does not see.
#[test]
fn programs_have_the_keys_of_rows() {
    use hookc_schema::dialect::predicates::{PROGRAM, PROGRAM_CONDITION};
    use hookc_shell::programs::draft::{IF_KEYS, KEYS};
    let keys = |schema: &str| {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut keys: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        keys.sort_unstable();
        keys
    };
    let sorted = |names: Vec<&str>| {
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(keys(PROGRAM), sorted(KEYS.iter().map(|(key, _)| *key).chain(["if"]).collect()));
    assert_eq!(keys(PROGRAM_CONDITION), sorted(IF_KEYS.iter().map(|(key, _)| *key).collect()));
}
