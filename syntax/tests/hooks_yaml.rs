//! Hooks files: what is read, what is reported, what is written back.

use std::sync::Arc;

use hookc_schema::tree::*;
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};
use hookc_syntax::front::hooks_yaml::read;
use hookc_syntax::write;
use proptest::prelude::*;

fn yaml(text: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = read(text, SourceId(0), &mut out);
    (policy, out)
}

fn good(text: &str) -> Policy {
    let (policy, mut out) = yaml(text);
    // Errors of the notation, and an empty file.
    out.retain(|reported| !matches!(reported.code, Code::W0114 | Code::W0612));
    assert!(out.is_empty(), "{text}\n{out:#?}");
    policy
}

const FULL: &str = r#"
schema_version: "1.2.0"
events: {deploy: {description: ours}}
operators: {eq: {types: [string]}}
combinators: {and: {syntax: {all: []}}}
action_types: {page: {parameters: {who: {type: string}}}}
event_context_schema: {type: object}
return_schema: {type: object}
builtin_hooks:
- {id: b, event: limit, action: {type: abort}}
hooks:
  - id: everything
    event: [error, limit]
    priority: -1.50
    enabled: false
    mode: shadow
    condition:
      all:
        - {path: error.code, op: eq, value: [1, {a: no}], ignore_case: true}
        - any: [true, {not: {path: "x['y']", op: gt, value_path: z}}, {any: []}]
        - {path: a, op: exists}
        - {path: a, op: exists, value: true, ignore_case: false}
        - {path: a, op: exists, value: false}
        - {path: a, op: matches, value: {type: string}, assert_format: true}
    when: >-
      cost.spend > 10
      and b in ['x']
    action: {type: retry, max_attempts: 3, delay: "${a}"}
    on_error: retry
    on_failure: closed
    description: words
    examples:
      - {event: {error: {code: 1}}, matches: false}
  - {event: x, when: "a == 1", action: {type: abort}}
"#;

#[test]
fn a_whole_file_is_read() {
    let policy = good(FULL);
    assert_eq!(policy.hooks.len(), 3);
    assert_eq!(policy.hooks[0].section, Section::Builtin);
    assert!(policy.declarations.return_schema.is_some());
    let hook = &policy.hooks[1];
    assert_eq!(hook.events.len(), 2);
    assert_eq!(hook.priority.as_ref().unwrap().node.0, "-1.50");
    assert_eq!(hook.mode.unwrap().node, Mode::Shadow);
    assert_eq!(
        (hook.on_error.unwrap().node, hook.on_failure.unwrap().node),
        (OnError::Retry, OnFailure::Closed)
    );
    assert_eq!(hook.action.params.len(), 2);
    let Some(Cond { kind: CondKind::All(both), .. }) = &hook.condition else { panic!() };
    let [Cond { kind: CondKind::All(items), .. }, Cond { kind: CondKind::All(when), .. }] = &**both else {
        panic!("{both:#?}")
    };
    assert_eq!((items.len(), when.len()), (6, 2));
    let leaf = |at: usize| match &items[at].kind {
        CondKind::Leaf(leaf) => leaf,
        other => panic!("{other:?}"),
    };
    assert!(leaf(0).ignore_case.is_some());
    assert_eq!(leaf(2).right, Right::None);
    assert_eq!((&leaf(3).right, leaf(3).ignore_case), (&Right::None, None));
    assert_eq!(leaf(4).right, Right::Value(Value::new(Kind::Bool(false), Span::default()).into()));
    assert!(leaf(5).assert_format.is_some());
    assert!(matches!(policy.hooks[2].condition, Some(Cond { kind: CondKind::Leaf(_), .. })));
}

#[test]
fn silent_handlers_succeed() {
    for text in ["", "# only a comment\n", "hooks:\n", "hooks: []\nbuiltin_hooks: null\n", "{}", "events:\n"]
    {
        let policy = good(text);
        assert!(policy.hooks.is_empty());
        assert_eq!(policy.declarations, Declarations::default());
    }
}

/// A complete hook, with `more` keys.
fn with(more: &str) -> String {
    format!("hooks:\n- event: e\n  action: {{type: abort}}\n  {more}\n")
}

#[test]
fn problems_have_codes_spans_and_help() {
    let hook = [
        ("prioritty: 1", Code::E0201, "prioritty"),
        ("priority: high", Code::E0203, "high"),
        ("priority: \"1\"", Code::E0203, "\"1\""),
        ("enabled: no", Code::E0203, "no"),
        ("mode: enforced", Code::E0204, "enforced"),
        ("mode: 1", Code::E0203, "1"),
        ("on_error: skp", Code::E0204, "skp"),
        ("on_failure: true", Code::E0203, "true"),
        ("description: 1", Code::E0203, "1"),
        ("id: 'a#b'", Code::E0210, "'a#b'"),
        ("id: ''", Code::E0210, "''"),
        ("id: 12", Code::E0210, "12"),
        ("condition:", Code::E0206, ""),
        ("condition: {}", Code::E0206, "{}"),
        ("condition: {not: a == 1}", Code::E0203, "a == 1"),
        ("condition: *nothing", Code::E0106, "*nothing"),
        ("condition: [{path: a, op: exists}]", Code::E0203, "["),
        ("condition: {path: a, op: exists, any: []}", Code::E0205, "any"),
        ("condition: {all: [null]}", Code::E0206, "null"),
        ("condition: {all: [{}]}", Code::E0206, "{}"),
        ("condition: {all:}", Code::E0206, ""),
        ("condition: {all: {path: a, op: exists}}", Code::E0203, "{"),
        ("condition: {not: [true]}", Code::E0203, "["),
        ("condition: {all: [], op: eq}", Code::E0201, "op"),
        ("condition: {and: []}", Code::E0201, "and"),
        ("condition: {op: eq, value: 1}", Code::E0202, "op"),
        ("condition: {path: a}", Code::E0202, "path"),
        ("condition: {path: a, value: 1}", Code::W0211, "1"),
        ("condition: {path: a, operator: eq, value: 1}", Code::E0201, "operator"),
        ("condition: {path: a, op: 1, value: 1}", Code::E0203, "1"),
        ("condition: {path: a, op: '==', value: 1}", Code::E0401, "'=='"),
        ("condition: {path: a, op: not_in, value: []}", Code::E0401, "not_in"),
        ("condition: {path: a, op: eq, value: 1, value_path: b}", Code::E0403, "b"),
        ("condition: {path: a, op: eq, value: 1, ignore_case: yes}", Code::E0203, "yes"),
        ("condition: {path: 1, op: eq, value: 1}", Code::E0203, "1"),
        ("condition: {path: 'a[', op: eq, value: 1}", Code::E0301, ""),
        ("when: 'a =='", Code::E0302, ""),
        ("when:", Code::E0206, ""),
        ("when: true", Code::E0203, "true"),
        ("when: {path: a, op: exists}", Code::E0203, "{"),
        ("examples: {}", Code::E0203, "{}"),
        ("examples: [{event: {}}]", Code::E0202, "event"),
        ("examples: [{matches: true}]", Code::E0202, "matches"),
        ("examples: [{event: 1, matches: true}]", Code::E0203, "1"),
        ("examples: [{event: {}, matches: maybe}]", Code::E0203, "maybe"),
        ("examples: [{event: {}, matches: true, x: 1}]", Code::E0201, "x"),
    ];
    let file = [
        ("hooks: {Stop: [{hooks: []}]}", Code::E0203, "{"),
        ("hooks: {event: a, action: {type: b}}", Code::E0203, "{"),
        ("hooks: all", Code::E0203, "all"),
        ("hooks: [a]", Code::E0203, "a"),
        ("hook: []", Code::E0201, "hook"),
        ("- a", Code::E0203, "-"),
        ("text", Code::E0203, "text"),
        ("schema_version: 1.0", Code::E0203, "1.0"),
        ("schema_version: '1.0'", Code::E0204, "'1.0'"),
        ("schema_version: '2.0.0'", Code::E0207, "'2.0.0'"),
        ("hooks: [{action: {type: a}}]", Code::E0202, "action"),
        ("hooks: [{event: a}]", Code::E0202, "event"),
        ("hooks: [{evnt: a, action: {type: b}}]", Code::E0201, "evnt"),
        ("hooks: [{event: a, action: {}}]", Code::E0202, "{}"),
        ("hooks: [{event: a, action: {kind: x}}]", Code::E0202, "kind"),
        ("hooks: [{event: a, action: {type: 1}}]", Code::E0203, "1"),
        ("hooks: [{event: a, action: [{type: x}]}]", Code::E0203, "["),
        ("hooks: [{event: a, action: abort}]", Code::E0203, "abort"),
        ("hooks: [{event: [], action: {type: a}}]", Code::E0203, "[]"),
        ("hooks: [{event: '', action: {type: a}}]", Code::E0203, "''"),
        ("hooks: [{event: [a, b, a], action: {type: a}}]", Code::E0212, "a"),
        ("hooks: [{event: 1, action: {type: a}}]", Code::E0203, "1"),
        ("hooks: [{event: [x, 1], action: {type: a}}]", Code::E0203, "1"),
    ];
    let all = hook.map(|(more, code, place)| (with(more), code, place)).into_iter();
    for (text, code, place) in all.chain(file.map(|(text, code, place)| (text.to_owned(), code, place))) {
        let (policy, out) = yaml(&text);
        assert_eq!(out.len(), 1, "{text}\n{out:#?}");
        assert_eq!(out[0].code, code, "{text}\n{out:#?}");
        let found = &text[out[0].span().unwrap().range()];
        assert!(found == place || place.is_empty(), "{text}\n{found:?} {out:#?}");
        assert!(out[0].help.is_some(), "{text}\n{out:#?}");
        assert_eq!(policy.hooks.is_empty(), out[0].is_error(), "{text}");
    }
}

#[test]
fn names_are_suggested() {
    let helps = |text: &str| yaml(text).1.into_iter().filter_map(|d| d.help).collect::<Vec<_>>().join("\n");
    for (more, near) in [
        ("prioritty: 1", "`priority`"),
        ("mode: enforced", "`enforce`"),
        ("condition: {and: []}", "`all`"),
        ("condition: {path: a, operator: eq, value: 1}", "`op`"),
        ("condition: {path: a, op: '==', value: 1}", "`eq`"),
        ("condition: {path: a, op: not_in, value: []}", "`in`"),
        ("enabled: no", "`false`"),
    ] {
        assert!(helps(&with(more)).contains(near), "{more}: {}", helps(&with(more)));
    }
    assert!(helps("hooks: {Stop: [{hooks: []}]}").contains("agent settings"));
}

#[test]
fn all_problems_come_in_order_and_siblings_stay() {
    let text = "schema_version: 3.0\nhooks:\n- event: a\n  action: {type: x}\n  mode: no\n  prio: 1\n- event: b\n  \
                action: {type: y}\n- action: {type: x}\n  condition: {any: [{op: eq}, {path: a, op: zz}]}\n  id: 1\n";
    let (policy, out) = yaml(text);
    let codes: Vec<_> = out.iter().map(|d| d.code).collect();
    let expected =
        [Code::E0203, Code::E0204, Code::E0201, Code::E0202, Code::E0202, Code::E0401, Code::E0210];
    assert_eq!(codes, expected, "{out:#?}");
    assert!(out.is_sorted_by_key(|d| d.span()), "{out:#?}");
    assert_eq!(policy.hooks.len(), 1);
    assert_eq!(policy.hooks[0].events[0].node, "b");
}

#[test]
fn spans_inside_block_scalars_are_exact() {
    let text = "hooks:\n  - event: a\n    action: {type: x}\n    when: >-\n      cost.spend > 10\n      and b == = 1\n";
    let (_, out) = yaml(text);
    let at = out[0].span().unwrap().start as usize;
    assert!(text[at..].starts_with("= 1"), "{:?} {out:#?}", &text[at..]);
}

#[test]
fn read_policies_are_written_back() {
    let policy = good(FULL);
    let (text, losses) = write::hooks_yaml::write(&policy);
    assert!(losses.is_empty());
    let again = good(&text);
    assert_eq!(again, policy, "{text}");
    assert!(
        text.contains(
            "  - id: everything\n    description: words\n    event:\n      - error\n      - limit\n"
        ),
        "{text}"
    );
    assert!(text.contains("            - path: error.code\n              op: eq\n"), "{text}");
}

#[test]
fn literal_strings_stay_literal() {
    let mut policy = good("hooks: [{event: a, action: {type: run, command: ['${HOME}/x']}}]");
    policy.hooks[0].action.templates = false;
    let (text, losses) = write::hooks_yaml::write(&policy);
    assert!(losses.is_empty() && text.contains("- \"$${HOME}/x\""), "{text}");
}

#[test]
fn losses_are_named() {
    let mut policy = good(FULL);
    policy.hooks[1].family = Family::Agent;
    let mut deep = Cond { span: Span::default(), kind: CondKind::Const(true) };
    for _ in 0..126 {
        deep = Cond { span: Span::default(), kind: CondKind::Not(deep.into()) };
    }
    policy.hooks[2].condition = Some(deep);
    let (text, losses) = write::hooks_yaml::write(&policy);
    assert_eq!(losses.len(), 2, "{losses:?}");
    assert!(losses[0].what.contains("everything"));
    assert_eq!(good(&text).hooks.len(), 1);
}

fn spanned<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_/. ]{1,8}",
        "[ -~\\t\\n\\ré😀\u{7f}\u{85}\u{2028}\u{feff}]{0,10}",
        prop::sample::select(vec![
            "yes", "1", "null", "~", "a\n  b\n", "x\n\ny", "0x1", ".inf", "<<", "- a", "é"
        ])
        .prop_map(str::to_owned),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let number =
        prop::sample::select(vec!["0", "-0", "1.50", "1e3", "1E+5", "123456789012345678901234567890"]);
    let leaf = prop_oneof![
        Just(Kind::Null),
        any::<bool>().prop_map(Kind::Bool),
        number.prop_map(|n| Kind::Num(Number(n.to_owned()))),
        string().prop_map(|s| Value::string(s, Span::default()).kind),
    ];
    let leaf = leaf.prop_map(|kind| Value::new(kind, Span::default()));
    leaf.prop_recursive(3, 20, 4, |inner| {
        let members = prop::collection::btree_map(string(), inner.clone(), 0..4).prop_map(|members| {
            Kind::Map(members.into_iter().map(|(key, value)| Member { key: spanned(key), value }).collect())
        });
        let items = prop::collection::vec(inner, 0..4).prop_map(Kind::Seq);
        prop_oneof![members, items].prop_map(|kind| Value::new(kind, Span::default()))
    })
}

fn path() -> impl Strategy<Value = Path> {
    let texts = ["a", "error.code", "items[-1]", "x['retry-after']", "$.a.b", "$['a b']"];
    prop::sample::select(texts.to_vec()).prop_map(|text| {
        let mut out = Diagnostics::new();
        let whole = Span::default();
        hookc_syntax::expr::path::parse(&hookc_schema::value::Text::plain(text), whole, &mut out).unwrap()
    })
}

fn cond() -> impl Strategy<Value = Cond> {
    let right = prop_oneof![
        value().prop_map(|value| Right::Value(value.into())),
        path().prop_map(Right::Path),
        Just(Right::None)
    ];
    let op = prop::sample::select(Op::ALL.to_vec());
    let leaf =
        (path(), op, right, any::<bool>(), any::<bool>()).prop_map(|(path, op, right, fold, format)| {
            let plain = op == Op::Exists
                && right == Right::Value(Value::new(Kind::Bool(true), Span::default()).into());
            CondKind::Leaf(Arc::new(Leaf {
                path,
                op: spanned(op),
                right: if plain { Right::None } else { right },
                ignore_case: fold.then(|| spanned(())),
                assert_format: format.then(|| spanned(())),
            }))
        });
    let at = |kind| Cond { span: Span::default(), kind };
    let predicate = super::predicates::predicate(string().boxed());
    prop_oneof![1 => any::<bool>().prop_map(CondKind::Const), 4 => leaf, 2 => predicate]
        .prop_map(at)
        .prop_recursive(3, 12, 3, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(|parts| CondKind::All(parts.into())),
                prop::collection::vec(inner.clone(), 0..3).prop_map(|parts| CondKind::Any(parts.into())),
                inner.clone().prop_map(|inner| CondKind::Not(inner.into())),
                super::history::condition(
                    string().boxed(),
                    path().boxed(),
                    inner.clone().boxed(),
                    super::expr_roundtrip::cond().boxed(),
                ),
                ("[a-z]{1,2}[0-9]", path(), inner).prop_map(|(name, path, cond)| {
                    let name = spanned(name);
                    CondKind::Quantified(Arc::new(Quantified {
                        quantifier: Quantifier::Every,
                        name,
                        path,
                        cond,
                    }))
                }),
            ]
            .prop_map(at)
        })
}

fn hook() -> impl Strategy<Value = Hook> {
    let id = prop::option::of("[a-z0-9é :\\-]{0,6}[a-z]".prop_map(spanned));
    let events = prop::collection::btree_set("[a-z_]{1,4}", 1..3);
    let params = prop::collection::btree_map(string().prop_filter("key", |key| key != "type"), value(), 0..3);
    let modes = prop::option::of(prop::sample::select(vec![Mode::Enforce, Mode::Warn, Mode::Shadow]));
    let on_error = prop::option::of(prop::sample::select(vec![OnError::Skip, OnError::Fail, OnError::Retry]));
    let on_failure = prop::option::of(prop::sample::select(vec![OnFailure::Open, OnFailure::Closed]));
    let fields = value().prop_map(|event| {
        Value::new(Kind::Map(vec![Member { key: spanned("f".into()), value: event }]), Span::default())
    });
    let examples = prop::collection::vec((fields, any::<bool>()), 0..2);
    let rest = (modes, on_error, on_failure, prop::option::of(string()), examples);
    let priority = prop::option::of(any::<i16>());
    (id, events, priority, prop::option::of(any::<bool>()), prop::option::of(cond()), params, rest).prop_map(
        |(
            id,
            events,
            priority,
            enabled,
            condition,
            params,
            (mode, on_error, on_failure, description, examples),
        )| Hook {
            span: UncomparedSpan::default(),
            id,
            events: events.into_iter().map(spanned).collect(),
            family: Family::Thread,
            section: Section::Hooks,
            priority: priority.map(|n| spanned(Number(n.to_string()))),
            enabled: enabled.map(spanned),
            mode: mode.map(spanned),
            condition,
            action: Action {
                span: UncomparedSpan::default(),
                kind: spanned("abort".into()),
                params: params.into_iter().map(|(key, value)| (spanned(key), value)).collect(),
                templates: true,
            },
            on_error: on_error.map(spanned),
            on_failure: on_failure.map(spanned),
            description: description.map(spanned),
            examples: examples.into_iter().map(|(event, matches)| Example::new(event, matches)).collect(),
            effects: Vec::new(),
        },
    )
}

fn policy() -> impl Strategy<Value = Policy> {
    let declared = prop::option::of(value().prop_filter("null is none", |value| value.kind != Kind::Null));
    let facts = super::history::facts(string().boxed(), path().boxed(), cond().boxed());
    (prop::collection::vec(hook(), 0..3), prop::collection::vec(hook(), 0..2), declared, facts, any::<bool>())
        .prop_map(|(hooks, builtin, declared, facts, version)| {
            let mut policy = Policy::empty(SourceId(0));
            policy.schema_version = version.then(|| spanned("1.0.0-a.1+b".to_owned()));
            policy.declarations.events = declared.clone();
            policy.declarations.return_schema = declared;
            policy.facts = facts;
            policy.hooks = builtin;
            policy.hooks.iter_mut().for_each(|hook| hook.section = Section::Builtin);
            policy.hooks.extend(hooks);
            policy
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_policy_is_written_and_read_back(policy in policy()) {
        let (text, losses) = write::hooks_yaml::write(&policy);
        prop_assert!(losses.is_empty());
        let (again, out) = yaml(&text);
        prop_assert!(!out.iter().any(Diagnostic::is_error), "{}\n{:#?}", text, out);
        prop_assert_eq!(again, policy, "{}", text);
    }
}
