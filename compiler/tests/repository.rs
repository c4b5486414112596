//! Repository hooks. What the files say, what is reported of them, the
//! match block against events, handlers on disk, and writing back.

use crate::built;

use std::collections::BTreeMap;
use std::sync::Arc;

use hookc_compiler::{Compiled, Dialect};
use hookc_schema::diag::Severity;
use hookc_schema::tree::{Family, print};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId};
use hookc_syntax::files::{FileKind, Files};
use hookc_syntax::front::repository;
use hookc_syntax::write;
use hookc_vm::{DecideOptions, Module, Scratch};

const NAME: &str = "repo/.system/hooks/a.yaml";
const PLAIN: &str = "id: a\nevent_type: PostAbilityCall\nenabled: true\nblocking: false\n\
                     handler: {kind: script, command: ./x.sh}\n";

fn read(text: &str) -> (hookc_schema::tree::Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = repository::read(".system/hooks/a.yaml", text, SourceId(0), &mut out);
    (policy, out)
}

fn built(text: &str, dialect: Dialect, files: Option<Arc<dyn Files>>) -> (Compiled, String) {
    built::built(&[(NAME, text)], dialect, files)
}

fn module(text: &str, dialect: Dialect) -> Vec<u8> {
    built::module(NAME, text, dialect)
}

/// A hook of `event` with a match block.
fn matching(event: &str, block: &str) -> String {
    let blocking = matches!(event, "PromptSubmit" | "PreAbilityCreate" | "PreAbilityCall");
    format!(
        "id: a\nevent_type: {event}\nenabled: true\nblocking: {blocking}\nmatch: {block}\n\
         handler: {{kind: script, command: ./x.sh}}\n"
    )
}

fn matches(event: &str, block: &str, json: &str) -> bool {
    let module = Module::load(module(&matching(event, block), Dialect::Repository)).unwrap();
    let ask = DecideOptions::default().event(event);
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, json.as_bytes(), &ask).unwrap();
    !decision.is_empty()
}

#[test]
fn a_whole_file() {
    let text = "id: slow-calls\nevent_type: PostAbilityCall\nenabled: false\nblocking: false\n\
                summary: >\n  Notes calls\n  that take long.\n\
                match:\n  ability_scope: [\"db/*\", net]\n  min_duration_ms: 100\n\
                handler:\n  kind: script\n  command: ./scripts/slow.py\n\
                effects:\n  - notes\n  - append_to: slow.log\n";
    let (policy, out) = read(text);
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(policy.hooks[0].family, Family::Repository);
    assert_eq!(
        print::policy(&policy),
        "policy\n  hook \"slow-calls\"\n    event repository \"PostAbilityCall\"\n    enabled false\n    condition\n      all\n        \
         ability_id glob [\"db/**\",\"net\"]\n        duration_ms gte 100\n    action \"run\" literal\n      \
         \"argv\" [\"./scripts/slow.py\"]\n      \"blocking\" false\n      \"result\" \"signals\"\n    \
         description \"Notes calls that take long.\"\n    effect \"notes\"\n    effect \"append_to\" \"slow.log\"\n"
    );
}

#[test]
fn scopes_are_tests_of_the_ability() {
    let lowered = |block: &str| {
        let (policy, out) = read(&matching("PostAbilityCall", block));
        assert!(out.is_empty(), "{block}: {out:#?}");
        policy.hooks[0].condition.as_ref().map(print::condition).unwrap_or_default()
    };
    for (scope, expected) in [
        ("edit_file", "ability_id eq \"edit_file\"\n"),
        ("[edit_file]", "ability_id eq \"edit_file\"\n"),
        ("[a, b]", "ability_id in [\"a\",\"b\"]\n"),
        ("\"*\"", ""),
        ("[a, \"*\"]", ""),
        ("\"a.*\"", "ability_id glob \"a.**\"\n"),
        ("[\"a*\", b]", "ability_id glob [\"a**\",\"b\"]\n"),
        ("\"*/x\"", "ability_id glob \"**\\\\/x\"\n"),
        ("'a\\*'", "ability_id eq \"a*\"\n"),
    ] {
        assert_eq!(lowered(&format!("{{ability_scope: {scope}}}")), expected, "{scope}");
    }
    assert_eq!(lowered("{min_duration_ms: 0}"), "");
    assert_eq!(lowered("{min_duration_ms: 0.5}"), "duration_ms gte 0.5\n");
}

#[test]
fn scopes_on_events() {
    let id = |id: &str| format!("{{\"ability_id\": {id}}}");
    for (scope, ability, expected) in [
        ("\"db/*\"", "\"db/users/write\"", true),
        ("\"*/write\"", "\"db/users/write\"", true),
        ("\"*/write\"", "\"write\"", false),
        ("\"*_file\"", "\"edit_file\"", true),
        ("\"*\"", "7", true),
        ("\"e*\"", "7", false),
        ("[a, b]", "\"b\"", true),
        ("edit_file", "\"edit_file2\"", false),
        ("\"{db,net}/*\"", "\"net/x/y\"", true),
    ] {
        let block = format!("{{ability_scope: {scope}}}");
        assert_eq!(matches("PreAbilityCall", &block, &id(ability)), expected, "{scope} {ability}");
        let created = format!("{{\"ability_ref\": {{\"kind\": \"ability_id\", \"value\": {ability}}}}}");
        assert_eq!(matches("PreAbilityCreate", &block, &created), expected, "{scope} {ability}");
    }
    let slow = "{min_duration_ms: 100}";
    assert!(matches("PostAbilityCall", slow, r#"{"duration_ms": 100}"#));
    assert!(!matches("PostAbilityCall", slow, r#"{"duration_ms": 99.9}"#));
    assert!(!matches("PostAbilityCall", slow, "{}"));
    let changed = "{only_if_changed_paths: [\"services/**\", \"apps/*.rs\"]}";
    assert!(matches("SessionStop", changed, r#"{"changed_files": ["README", "services/a/b.rs"]}"#));
    assert!(matches("SessionStop", changed, r#"{"changed_files": ["apps/x.rs"]}"#));
    assert!(!matches("SessionStop", changed, r#"{"changed_files": ["apps/a/x.rs", "docs/services/x"]}"#));
    assert!(!matches("SessionStop", changed, r#"{"changed_files": []}"#));
    assert!(!matches("SessionStop", changed, "{}"));
}

/// The diagnostics of a text: code and the text at its span.
fn reported(text: &str) -> Vec<(Code, String)> {
    let (_, out) = read(text);
    out.iter().map(|new| (new.code, text[new.span().unwrap().range()].to_owned())).collect()
}

#[test]
fn errors_are_reported_at_their_span() {
    let with = |from: &str, to: &str| PLAIN.replace(from, to);
    let table = [
        (with("id: a\n", ""), Code::E0202, "event_type"),
        (with("id: a", "id: 5"), Code::E0203, "5"),
        (with("id: a", "id: ''"), Code::E0203, "''"),
        (with("id: a", "id: a_b"), Code::N0256, "a_b"),
        (with("event_type: PostAbilityCall\n", ""), Code::E0202, "id"),
        (with("PostAbilityCall", "[]"), Code::E0203, "[]"),
        (with("PostAbilityCall", "Stop"), Code::W0251, "Stop"),
        (with("PostAbilityCall", "pre_context"), Code::W0251, "pre_context"),
        (
            with("PostAbilityCall", "UserPromptSubmit").replace("false", "true"),
            Code::N0250,
            "UserPromptSubmit",
        ),
        (with("PostAbilityCall", "PromptSubmit"), Code::W0254, "false"),
        (with("blocking: false", "blocking: true"), Code::W0253, "true"),
        (with("blocking: false\n", ""), Code::N0255, "id"),
        (with("enabled: true\n", ""), Code::N0255, "id"),
        (with("enabled: true", "enabled: yes"), Code::E0203, "yes"),
        (with("kind: script", "kind: http"), Code::E0257, "http"),
        (with("kind: script", "kind: builtin"), Code::E0257, "builtin"),
        (with("kind: script", "kind: shell"), Code::E0204, "shell"),
        (with("kind: script, ", ""), Code::E0202, "command"),
        (with(", command: ./x.sh", ""), Code::E0202, "kind"),
        (with("command: ./x.sh", "command: [a]"), Code::E0203, "["),
        (with("command: ./x.sh", "command: ' '"), Code::E0203, "' '"),
        (with("command: ./x.sh", "comand: ./x.sh"), Code::E0201, "comand"),
        (with("{kind: script, command: ./x.sh}", "./x.sh"), Code::E0203, "./x.sh"),
        (format!("{PLAIN}summary: [a]\n"), Code::E0203, "["),
        (format!("{PLAIN}effects: [1]\n"), Code::E0203, "1"),
        (format!("{PLAIN}effects: [{{a: 1, b: 2}}]\n"), Code::E0203, "a"),
        (format!("{PLAIN}match: a\n"), Code::E0203, "a"),
        (format!("{PLAIN}match:\n"), Code::W0248, "match"),
        (format!("{PLAIN}match: {{}}\n"), Code::W0248, "match"),
        (format!("{PLAIN}match: {{scope: a}}\n"), Code::E0201, "scope"),
        (format!("{PLAIN}match: {{min_duration_ms: '5'}}\n"), Code::E0203, "'5'"),
        (format!("{PLAIN}match: {{min_duration_ms: -5}}\n"), Code::E0204, "-5"),
        (format!("{PLAIN}match: {{ability_scope: [5]}}\n"), Code::E0203, "5"),
        (format!("{PLAIN}match: {{ability_scope: ''}}\n"), Code::E0203, "''"),
        (format!("{PLAIN}match: {{ability_scope: 'a[b'}}\n"), Code::E0411, "["),
        (format!("{PLAIN}match: {{only_if_changed_paths: [a]}}\n"), Code::E0252, "only_if_changed_paths"),
        ("a: 1\n".to_owned(), Code::E0202, "a"),
        ("- a\n".to_owned(), Code::E0203, "-"),
        ("".to_owned(), Code::E0203, ""),
    ];
    for (text, code, at) in table {
        assert_eq!(reported(&text), [(code, at.to_owned())], "{text}");
        let (policy, out) = read(&text);
        assert_eq!(policy.hooks.is_empty(), out.iter().any(Diagnostic::is_error), "{text}");
        assert!(out.iter().all(|new| new.help.is_some() || new.fix.is_some()), "{out:#?}");
    }
    assert_eq!(reported(PLAIN), []);
}

#[test]
fn a_misspelled_event_is_reported_once() {
    let text = with_event("PostAbilityCal");
    for text in [text.clone(), text.replace("enabled: true", "enabled: yes")] {
        let (compiled, _) = built(&text, Dialect::Repository, None);
        let found: Vec<_> = compiled.diagnostics.iter().filter(|new| new.code == Code::W0415).collect();
        let [one] = found.as_slice() else { panic!("{text}: {:#?}", compiled.diagnostics) };
        assert_eq!(one.fix.as_ref().unwrap().replacement, "PostAbilityCall");
    }
}

fn with_event(name: &str) -> String {
    PLAIN.replace("PostAbilityCall", name)
}

#[test]
fn editions_are_read_alike() {
    let today = "id: a\nevent_type: PromptSubmit\nenabled: true\nblocking: true\nhandler: {kind: script, command: ./x.sh}\n";
    let earlier = "id: a\nevent_type: UserPromptSubmit\nhandler: {kind: script, command: ./x.sh}\n";
    assert_eq!(module(today, Dialect::Repository), module(earlier, Dialect::Repository));
    let (_, out) = read(earlier);
    assert!(out.iter().all(|new| new.severity == Severity::Note), "{out:#?}");
}

#[test]
fn a_bare_name_is_a_path() {
    let bare = PLAIN.replace("./x.sh", "x.sh");
    assert_eq!(module(&bare, Dialect::Repository), module(PLAIN, Dialect::Repository));
}

/// Files by path.
#[derive(Debug)]
struct Table(BTreeMap<&'static str, FileKind>);

impl Files for Table {
    fn kind(&self, path: &str) -> Option<FileKind> {
        self.0.get(path).copied()
    }

    fn canonical(&self, path: &str) -> Option<String> {
        // One file is a link.
        Some(if path.ends_with("out.sh") { "/etc/out.sh".to_owned() } else { path.to_owned() })
    }

    fn names(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn handlers_are_searched_in_the_repository() {
    let files: Arc<dyn Files> = Arc::new(Table(BTreeMap::from([
        ("repo/run.sh", FileKind::File { executable: true }),
        ("repo/out.sh", FileKind::File { executable: true }),
        ("repo/text.sh", FileKind::File { executable: false }),
        ("repo/scripts", FileKind::Directory),
        ("repo/pipe", FileKind::Other),
    ])));
    for (command, code, help) in [
        ("./run.sh", None, ""),
        ("run.sh", None, ""),
        ("out.sh", Some(Code::W0291), "keep the script in the repository"),
        ("./text.sh", Some(Code::E0259), "chmod +x repo/text.sh"),
        ("./scripts", Some(Code::E0258), ""),
        ("./pipe", Some(Code::E0258), ""),
        ("./none.sh", Some(Code::E0258), "--no-fs"),
        ("python3 ./run.sh", Some(Code::E0258), "without a shell"),
    ] {
        let text = PLAIN.replace("./x.sh", command);
        let (compiled, _) = built(&text, Dialect::Repository, Some(Arc::clone(&files)));
        let found = compiled.diagnostics.first();
        assert_eq!(found.map(|new| new.code), code, "{command}");
        if let Some(new) = found {
            assert!(new.help.as_ref().unwrap().contains(help), "{new:?}");
            assert_eq!(&text[new.span().unwrap().range()], command);
        }
        // A symbolic link is only a warning.
        assert_eq!(compiled.module.is_none(), code.is_some_and(|code| code != Code::W0291));
        let off = text.replace("enabled: true", "enabled: false");
        assert!(!built(&off, Dialect::Repository, Some(Arc::clone(&files))).0.failed(), "{command}");
    }
}

#[test]
fn written_text_reads_back() {
    for text in [
        PLAIN.to_owned(),
        matching("PreAbilityCall", "{ability_scope: ['db/*', '*/x', a]}"),
        matching("PreAbilityCall", "{ability_scope: [a, 'b\\*c']}"),
        matching("PreAbilityCreate", "{ability_scope: '**/x'}"),
        matching("PostAbilityCall", "{ability_scope: x, min_duration_ms: 1.50}"),
        matching("SessionStop", "{only_if_changed_paths: [\"a/**\", b]}"),
        matching("ModelOutput", "{}"),
        format!("{PLAIN}summary: \"it's: one\"\neffects: [a, {{b: 1}}, {{c: [d]}}]\n"),
        PLAIN.replace("enabled: true", "enabled: false").replace("./x.sh", "'./a b: ${c}.sh'"),
    ] {
        let (name, ..) = built::round_trip(&text, Dialect::Repository, read);
        assert_eq!(name.as_deref(), Some("a.yaml"));
    }
}

#[test]
fn losses_are_reported_by_name() {
    let run = "action: {type: run, argv: [./x.sh], result: signals}";
    for (hook, why) in [
        (format!("event: PreAbilityCall\n    {run}"), "needs an id"),
        (format!("id: a/b\n    event: PreAbilityCall\n    {run}"), "file name"),
        ("id: a\n    event: error\n    action: {type: run, argv: [./x.sh]}".to_owned(), "not an event of a repository"),
        (format!("id: a\n    event: [PreAbilityCall, SessionStop]\n    {run}"), "one event"),
        (format!("id: a\n    event: SessionStop\n    priority: 5\n    {run}"), "priority"),
        (format!("id: a\n    event: SessionStop\n    mode: shadow\n    {run}"), "mode"),
        (format!("id: a\n    event: SessionStop\n    on_error: skip\n    {run}"), "on_error"),
        (format!("id: a\n    event: SessionStop\n    when: session_id == 'x'\n    {run}"), "match block"),
        (format!("id: a\n    event: PreAbilityCall\n    when: ability_id glob 'a*'\n    {run}"), "match block"),
        (format!("id: a\n    event: PreAbilityCall\n    when: ability_id glob '**'\n    {run}"), "match block"),
        (format!("id: a\n    event: PreAbilityCall\n    when: duration_ms >= 5\n    {run}"), "match block"),
        (format!("id: a\n    event: PostAbilityCall\n    when: duration_ms >= 0\n    {run}"), "match block"),
        (format!("id: a\n    event: PostAbilityCall\n    when: $.ability_id == 'x'\n    {run}"), "match block"),
        (
            "id: a\n    event: SessionStop\n    action: {type: run, argv: [./x.sh], result: status}".to_owned(),
            "signals",
        ),
        (
            "id: a\n    event: SessionStop\n    action: {type: run, argv: [./x.sh, b], result: signals}".to_owned(),
            "path of a script",
        ),
        (
            "id: a\n    event: SessionStop\n    action: {type: run, argv: [x.sh], result: signals}".to_owned(),
            "path of a script",
        ),
        (
            "id: a\n    event: SessionStop\n    action: {type: run, command: ./x.sh && y, result: signals}".to_owned(),
            "path of a script",
        ),
        (
            "id: a\n    event: SessionStop\n    action: {type: run, argv: [./x.sh], timeout: 5, result: signals}"
                .to_owned(),
            "`timeout`",
        ),
        ("id: a\n    event: SessionStop\n    action: {type: allow}".to_owned(), "`allow`"),
    ] {
        let text = format!("hooks:\n  - {hook}\n");
        let (compiled, rendered) = built(&text, Dialect::HooksYaml, None);
        assert!(!compiled.failed(), "{rendered}");
        let (_, losses) = write::write(&compiled.policies[0], Dialect::Repository);
        assert_eq!(losses.len(), 1, "{text}: {losses:#?}");
        assert!(losses[0].what.contains(why), "{losses:#?}");
    }
    let twice = format!(
        "hooks:\n  - id: a\n    event: SessionStop\n    {run}\n  - id: a\n    event: SessionStop\n    {run}\n"
    );
    let (compiled, _) = built(&twice, Dialect::HooksYaml, None);
    let (written, losses) = write::write(&compiled.policies[0], Dialect::Repository);
    assert_eq!((written.len(), losses.len()), (1, 1));
}

#[test]
fn hooks_run_in_file_name_order() {
    let hook = |id: &str, event: &str| {
        format!("  - {{id: {id}, event: {event}, action: {{type: run, argv: [./x.sh], result: signals}}}}\n")
    };
    for (hooks, lost) in [
        ([("b", "SessionStop"), ("a", "SessionStop")], 1),
        ([("a", "SessionStop"), ("b", "SessionStop")], 0),
        ([("b", "SessionStop"), ("a", "PreAbilityCall")], 0),
    ] {
        let text = format!("hooks:\n{}", hooks.map(|(id, event)| hook(id, event)).concat());
        let (compiled, _) = built(&text, Dialect::HooksYaml, None);
        let (written, losses) = write::write(&compiled.policies[0], Dialect::Repository);
        assert_eq!((written.len(), losses.len()), (2, lost), "{text}: {losses:#?}");
        assert!(losses.iter().all(|loss| loss.what.contains("before `b.yaml`")), "{losses:#?}");
    }
}

#[test]
fn hooks_of_threads_become_files_where_they_can() {
    let text = "hooks:\n  - id: guard\n    event: PreAbilityCall\n    condition: {path: ability_id, op: in, value: [a, b]}\n    \
                action: {type: run, command: ./scripts/guard.sh, result: signals}\n";
    let (compiled, _) = built(text, Dialect::HooksYaml, None);
    let (written, losses) = write::write(&compiled.policies[0], Dialect::Repository);
    assert_eq!(losses, []);
    assert_eq!(
        written[0].text,
        "id: guard\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\nmatch:\n  ability_scope:\n    - a\n    - b\n\
         handler:\n  kind: script\n  command: \"./scripts/guard.sh\"\n"
    );
}

#[test]
fn repository_hooks_become_hooks_of_a_file() {
    let text = matching("PostAbilityCall", "{ability_scope: 'db/*', min_duration_ms: 5}");
    let (policy, _) = read(&text);
    let (written, losses) = write::write(&policy, Dialect::HooksYaml);
    assert_eq!(losses, []);
    assert_eq!(
        module(&written[0].text, Dialect::HooksYaml),
        module(&text, Dialect::Repository),
        "{}",
        written[0].text
    );
    let (policy, _) = read(&format!("{text}effects: [notes]\n"));
    let (_, losses) = write::write(&policy, Dialect::HooksYaml);
    assert!(losses.len() == 1 && losses[0].what.contains("effects"), "{losses:#?}");
}

/// Large files are read in linear time, and deep ones without a crash.
#[test]
fn large_and_hostile_files() {
    let scopes: String = (0..100_000).map(|n| format!("    - \"ability/{n}/*\"\n")).collect();
    let text =
        matching("PreAbilityCall", "").replace("match: \n", &format!("match:\n  ability_scope:\n{scopes}"));
    assert_eq!(read(&text).1, []);
    for piece in ["[", "{", "- ", "*/", "a: ", "\\", "**"] {
        let text = PLAIN.to_owned()
            + "match: {ability_scope: \""
            + &piece.replace('\\', "\\\\").repeat(20_000)
            + "\"}\n";
        read(&text);
        read(&piece.repeat(20_000));
    }
}
