//! Written directive XML reads back to an equal tree, and what it cannot say
//! is reported.

use std::sync::Arc;

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::tree::{
    Action, Cond, CondKind, Example, Family, Guard, Hook, Leaf, Mode, OnError, OnFailure, Op, Path, Policy,
    Predicate, Quantified, Quantifier, Right, Section, UncomparedSpan, Verb,
};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostics, SourceId, Sources, Span, Spanned};
use hookc_syntax::expr::path;
use hookc_syntax::front::{directive_xml, hooks_yaml};
use hookc_syntax::write::directive_xml::write;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const STRINGS: &[&str] = &[
    "", " ", "a", " a ", "\n", "a\r\nb", "\t", "5", "1e5", "null", "true", "\"x\"", "[1]", "{}", "${a.b}",
    "$${", "<&>\"'", "]]>", "é", "\u{1}", "\u{ffff}", "\u{85}", "--", "&lt;", "😀", "a, b", "#",
];

fn spanned<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn path_of(text: &str) -> Path {
    path::parse(&Text::plain(text), Span::default(), &mut Diagnostics::new()).unwrap()
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![2 => select(STRINGS).prop_map(str::to_owned), 1 => "[a-z]{1,6}", 1 => any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Kind::Null),
        any::<bool>().prop_map(Kind::Bool),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE]-?[0-9]{1,3})?".prop_map(|text| Kind::Num(Number(text))),
        string().prop_map(|text| Kind::Str(Text::plain(text))),
    ];
    let value = |kind| Value::new(kind, Span::default());
    leaf.prop_map(value).prop_recursive(3, 12, 4, move |inner| {
        let members = prop::collection::hash_map(string(), inner.clone(), 0..4);
        let object = members.prop_map(|members| {
            let member = |(key, value)| Member { key: spanned(key), value };
            Kind::Map(members.into_iter().map(member).collect())
        });
        prop_oneof![vec(inner, 0..4).prop_map(Kind::Seq), object].prop_map(value)
    })
}

fn any_path() -> impl Strategy<Value = Path> {
    let paths =
        ["a", "a.b['c d']", "['<&\"']", "a[-1]", "$.a[?@.b < 3 && @.c == '<']", "['in']", "['\\u0001']"];
    select(paths.to_vec()).prop_map(path_of)
}

fn leaf() -> impl Strategy<Value = CondKind> {
    let any = (any_path(), select(Op::ALL.to_vec()), value(), any_path(), any::<(bool, bool, bool)>());
    any.prop_map(|(path, op, value, other, (fold, assert, by_path))| {
        let right = match op {
            Op::Exists => Right::None,
            Op::In => Right::Value(Value::new(Kind::Seq(vec![value]), Span::default()).into()),
            Op::Matches => Right::Value(Value::new(Kind::Bool(fold), Span::default()).into()),
            op if op.takes_path() && by_path => Right::Path(other),
            _ => Right::Value(value.into()),
        };
        let flag = |on: bool| on.then(|| spanned(()));
        let leaf =
            Leaf { path, op: spanned(op), right, ignore_case: flag(fold), assert_format: flag(assert) };
        CondKind::Leaf(leaf.into())
    })
}

fn predicate() -> impl Strategy<Value = CondKind> {
    let texts = ["a", "@secrets", " a ", "<&\"'>", "a\tb\n", "", "/a b/i", "git push --force"];
    let pattern = select(texts.to_vec()).prop_map(|text| Spanned::new(Text::plain(text), Span::default()));
    let some = move || vec(pattern.clone(), 0..3);
    let lists = (some(), some(), some(), any::<bool>());
    let guard =
        (select(Verb::ALL), any::<bool>(), lists).prop_map(|(verb, is_possible, (of, except, by, not))| {
            let (by, not_by) = if not { (Vec::new(), by) } else { (by, Vec::new()) };
            Guard { of, except, by, not_by, ..Guard::new(UncomparedSpan::default(), verb, is_possible) }
        });
    let certain = guard.clone().prop_map(|guard| Guard { is_possible: false, ..guard });
    let kind = prop_oneof![
        guard.prop_map(Predicate::Guard),
        vec(certain, 0..3).prop_map(Predicate::Only),
        Just(Predicate::Unknown),
        some().prop_map(Predicate::Mentions),
        some().prop_map(Predicate::Passed),
    ];
    kind.prop_map(|predicate| CondKind::Predicate(predicate.into()))
}

fn condition() -> impl Strategy<Value = Cond> {
    let cond = |kind| Cond { span: Span::default(), kind };
    let one = prop_oneof![leaf(), predicate(), any::<bool>().prop_map(CondKind::Const)].prop_map(cond);
    one.prop_recursive(3, 10, 3, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|parts| CondKind::All(parts.into())),
            vec(inner.clone(), 0..4).prop_map(|parts| CondKind::Any(parts.into())),
            inner.clone().prop_map(|inner| CondKind::Not(inner.into())),
            ("[a-z]{1,2}[0-9]", any_path(), inner).prop_map(|(name, path, cond)| {
                let name = spanned(name);
                CondKind::Quantified(Arc::new(Quantified { quantifier: Quantifier::Some, name, path, cond }))
            }),
        ]
        .prop_map(cond)
    })
}

fn action() -> impl Strategy<Value = Action> {
    let kinds = ["retry", "fail", "call_directive", "emit_event", "own", " <k> "];
    let names =
        ["max_attempts", "directive", "parameters", "error_message", "payload", "type", "a b", "\u{2}"];
    let params = prop::collection::hash_map(select(names.to_vec()), value(), 0..4);
    (select(kinds.to_vec()), params).prop_map(|(kind, params)| {
        let mut params: Vec<_> =
            params.into_iter().map(|(name, value)| (spanned(name.to_owned()), value)).collect();
        params.sort_by(|a, b| a.0.node.cmp(&b.0.node));
        Action { span: UncomparedSpan::default(), kind: spanned(kind.to_owned()), params, templates: true }
    })
}

fn hook() -> impl Strategy<Value = Hook> {
    let names = option::of("[a-z<&\"]{1,4}( [a-z]{1,3})?");
    let attributes = (
        option::of(select(vec![Mode::Enforce, Mode::Warn, Mode::Shadow])),
        option::of(select(vec![OnError::Skip, OnError::Fail, OnError::Retry])),
        option::of(select(vec![OnFailure::Open, OnFailure::Closed])),
        option::of(any::<bool>()),
        option::of("-?[1-9][0-9]{0,3}(\\.5)?"),
    );
    let events = prop::collection::btree_set("[a-z_:<]{1,5}", 1..3);
    let example = value().prop_map(|event| {
        let key = spanned("event".to_owned());
        let event = Value::new(Kind::Map(vec![Member { key, value: event }]), Span::default());
        Example::new(event, true)
    });
    (names, events, attributes, option::of(string()), option::of(condition()), action(), option::of(example))
        .prop_map(
            |(
                id,
                events,
                (mode, on_error, on_failure, enabled, priority),
                text,
                condition,
                action,
                example,
            )| {
                Hook {
                    span: UncomparedSpan::default(),
                    id: id.map(spanned),
                    events: events.into_iter().map(spanned).collect(),
                    family: Family::Thread,
                    section: Section::Hooks,
                    priority: priority.map(|text| spanned(Number(text))),
                    enabled: enabled.map(spanned),
                    mode: mode.map(spanned),
                    condition,
                    action,
                    on_error: on_error.map(spanned),
                    on_failure: on_failure.map(spanned),
                    description: text.map(spanned),
                    examples: example.into_iter().collect(),
                    effects: Vec::new(),
                }
            },
        )
}

fn read(source: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = directive_xml::read(("a.xml", source), SourceId(0), &Vocabulary::builtin(), &mut out);
    (policy, out)
}

/// A policy of one hook is written and read back equal, or reported as a loss and omitted.
fn comes_back(hook: Hook) -> bool {
    let mut policy = Policy::empty(SourceId(0));
    policy.hooks.push(hook);
    let (text, losses) = write(&policy);
    let (back, mut out) = read(&text);
    // A hook that is lost leaves no hook.
    out.retain(|reported| losses.is_empty() || reported.code != Code::W0612);
    assert!(out.is_empty(), "{text}\n{out:#?}");
    if losses.is_empty() {
        assert_eq!(back, policy, "{text}");
    } else {
        assert!(back.hooks.is_empty() && losses[0].what.contains("hook"), "{text}\n{losses:?}");
    }
    losses.is_empty()
}

fn plain(condition: Option<Cond>, params: Vec<(&str, Value)>) -> Hook {
    let params = params.into_iter().map(|(name, value)| (spanned(name.to_owned()), value)).collect();
    let action =
        Action { span: UncomparedSpan::default(), kind: spanned("own".to_owned()), params, templates: true };
    let hook = Hook::new(Span::default(), vec![spanned("e".to_owned())], Family::Thread, action);
    Hook { id: Some(spanned("h".to_owned())), condition, ..hook }
}

#[test]
fn deep_trees_come_back() {
    for depth in [1, 60, 64, 65, 100] {
        let mut condition = Cond { span: Span::default(), kind: CondKind::Const(true) };
        let mut value = Value::string("x", Span::default());
        for _ in 0..depth {
            condition = Cond { span: Span::default(), kind: CondKind::Not(condition.into()) };
            value = Value::new(Kind::Seq(vec![value]), Span::default());
        }
        assert!(comes_back(plain(Some(condition), vec![("v", value)])), "{depth}");
    }
}

#[test]
fn losses_of_xml_are_reported() {
    let lost = |change: fn(&mut Hook), words: &str| {
        let mut hook = plain(None, vec![("v", Value::string("${a}", Span::default()))]);
        change(&mut hook);
        let mut policy = Policy::empty(SourceId(0));
        policy.hooks = vec![hook, plain(None, vec![])];
        let (text, losses) = write(&policy);
        assert_eq!(losses.len(), 1, "{words}");
        assert!(losses[0].what.contains(words), "{losses:?}");
        assert_eq!(read(&text).0.hooks.len(), 1);
    };
    lost(|hook| hook.section = Section::Builtin, "hook `h`: directive XML has no `builtin_hooks`");
    lost(|hook| hook.family = Family::Agent, "only hooks of threads");
    lost(|hook| hook.action.templates = false, "literal");
    lost(|hook| hook.events[0].node = "a,b".into(), "comma");
    lost(|hook| hook.id = None.or(Some(spanned("\u{1}".into()))), "does not allow");
    let mut policy = Policy::empty(SourceId(0));
    policy.declarations.events = Some(Value::new(Kind::Null, Span::default()));
    assert!(write(&policy).1[0].what.contains("`events:`"));
}

#[test]
fn the_text_is_plain_to_read() {
    let mut policy = Policy::empty(SourceId(0));
    let object = |members: Vec<(&str, Value)>| {
        let member = |(key, value): (&str, Value)| Member { key: spanned(key.to_owned()), value };
        Value::new(Kind::Map(members.into_iter().map(member).collect()), Span::default())
    };
    let text = |text: &str| Value::string(text, Span::default());
    let leaf = Leaf {
        path: path_of("a.b"),
        op: spanned(Op::Eq),
        right: Right::Value(text("5").into()),
        ignore_case: None,
        assert_format: None,
    };
    let leaf = Cond { span: Span::default(), kind: CondKind::Leaf(leaf.into()) };
    let all = Cond {
        span: Span::default(),
        kind: CondKind::All([leaf, Cond { span: Span::default(), kind: CondKind::Const(true) }].into()),
    };
    let mut hook = plain(
        Some(all),
        vec![("directive", text("x/y")), ("parameters", object(vec![("k", text("1 < 2"))]))],
    );
    hook.action.kind.node = "call_directive".into();
    policy.hooks.push(hook);
    let expected = "\
<directive name=\"hooks\" version=\"1.0.0\">
  <hooks>
    <hook event=\"e\" id=\"h\">
      <all>
        <condition path=\"a.b\" op=\"eq\" type=\"string\" value=\"5\"/>
        <true/>
      </all>
      <directive>x/y</directive>
      <parameters>
        <param name=\"k\">1 &lt; 2</param>
      </parameters>
    </hook>
  </hooks>
</directive>
";
    assert_eq!(write(&policy).0, expected);
}

/// A hooks file, written as directive XML, makes the same module.
#[test]
fn yaml_and_xml_make_one_module() {
    let yaml = r#"
schema_version: "1.0.0"
hooks:
  - id: spend
    event: limit
    priority: 10
    mode: warn
    condition:
      all:
        - {path: limit_code, op: in, value: [spend_exceeded, "10"]}
        - not: {path: cost.spend, op: lte, value_path: limit_max}
        - any: []
    when: "limit_value > 1.50 or limit_code =~ '^a<b' nocase"
    action: {type: escalate, target: both, timeout_seconds: 60}
    on_failure: closed
  - event: [error, limit]
    description: " kept as it is\n"
    condition: {path: error.message, op: starts_with, value: "5"}
    action:
      type: call_directive
      directive: ops/back_off
      parameters: {after: "${error.headers['retry-after'] ?? 1}", list: [1, "1", null, {}], text: "a\n b "}
  - event: error
    action: {type: emit_event, event_type: seen, payload: {}}
"#;
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml);
    let mut out = Diagnostics::new();
    let policy = hooks_yaml::read(yaml, source, &mut out);
    assert!(out.is_empty(), "{out:#?}");
    let (xml, losses) = write(&policy);
    assert!(losses.is_empty());
    let module = |name: &str, text: &str, dialect| {
        let mut sources = Sources::new();
        let input = Input::new(sources.add(name, text)).with_dialect(dialect);
        let compiled = compile(&mut sources, &[input], &Options::default().strip(true));
        compiled.module.unwrap_or_else(|| panic!("{text}\n{:#?}", compiled.diagnostics))
    };
    assert_eq!(
        module("a.yaml", yaml, Dialect::HooksYaml),
        module("a.xml", &xml, Dialect::DirectiveXml),
        "{xml}"
    );
}

/// Files from the wild are read without harm; what has no hooks has no
/// problems either, and what reads comes back.
#[test]
fn wild_files() {
    let Some(shared) = hookc_corpus::shared() else { return };
    let mut files = Vec::new();
    for folder in ["directives_md", "directives_xml_nohooks", "xml_blocks", "docs_md", "misc"] {
        let entries = std::fs::read_dir(shared.join("wild/rye").join(folder));
        files.extend(entries.into_iter().flatten().map(|entry| entry.unwrap().path()));
    }
    let seeds = std::fs::read_dir(shared.join("seeds"));
    files.extend(seeds.into_iter().flatten().map(|entry| entry.unwrap().path()));
    for file in files {
        let Ok(source) = std::fs::read_to_string(&file) else { continue };
        let (policy, out) = read(&source);
        let name = file.display().to_string();
        for label in out.iter().flat_map(|reported| &reported.labels) {
            assert!(source.get(label.span.range()).is_some(), "{name}");
        }
        if name.contains("nohooks") {
            assert!(out.is_empty() && policy.hooks.is_empty(), "{name}: {out:#?}");
        }
        if name.contains("seeds/001") {
            assert!(out.is_empty() && policy.hooks.len() == 1, "{name}: {out:#?}");
        }
        policy.hooks.into_iter().for_each(|hook| assert!(comes_back(hook), "{name}"));
    }
}

proptest! {
    #[test]
    fn every_hook_comes_back(hook in hook()) {
        comes_back(hook);
    }

    #[test]
    fn a_hook_of_allowed_characters_is_not_lost(condition in option::of(condition()), value in value()) {
        let hook = plain(condition, vec![("v", value)]);
// A path can contain a character that neither XML nor a path can write.
        let lost = format!("{:?}", hook).contains("u0001']");
        prop_assert!(comes_back(hook) || lost);
    }
}
