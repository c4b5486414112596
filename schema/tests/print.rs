//! The printer of the typed tree.

use std::sync::Arc;

use crate::common;

use common::json;
use hookc_schema::tree::print;
use hookc_schema::tree::{
    Action, Comparable, CompareOp, Cond, CondKind, DurationUnit, EventPattern, Example, Extent, Fact,
    FactPattern, Family, Filter, Function, Hook, Leaf, Mode, OnError, OnFailure, Op, OutcomeWord,
    PartitionKey, Path, PathKind, Policy, Query, Recall, RecallOperator, Right, Section, Segment, Selection,
    Selector, Step, UncomparedSpan,
};
use hookc_schema::value::{Number, Text, Value};
use hookc_schema::{SourceId, Span, Spanned};

fn here<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn name(name: &str) -> Step {
    Step::Name(name.to_owned())
}

fn path(kind: PathKind) -> Path {
    Path { span: Span::default(), text: "".into(), kind }
}

fn short(steps: &[Step]) -> Path {
    path(PathKind::Short(steps.into()))
}

fn query(segments: Vec<Segment>) -> Path {
    path(PathKind::Query(Query { segments }))
}

fn cond(kind: CondKind) -> Cond {
    Cond { span: Span::default(), kind }
}

fn leaf(path: Path, op: Op, right: Right) -> Leaf {
    Leaf { path, op: here(op), right, ignore_case: None, assert_format: None }
}

fn value(text: &str) -> Right {
    Right::Value(json(text).into())
}

fn hook(action: Action) -> Hook {
    Hook::new(Span::default(), vec![here("limit".to_owned())], Family::Thread, action)
}

fn action(params: &[(&str, &str)]) -> Action {
    let param = |(name, text): &(&str, &str)| (here((*name).to_owned()), json(text));
    Action {
        span: UncomparedSpan::default(),
        kind: here("escalate".to_owned()),
        params: params.iter().map(param).collect(),
        templates: true,
    }
}

#[test]
fn a_whole_policy() {
    let mut policy = Policy::empty(SourceId(0));
    policy.schema_version = Some(here("1.0.0".to_owned()));
    policy.declarations.events = Some(json(r#"["b", {"y": 1.50, "x": null}]"#));
    let mut full = hook(action(&[("timeout_seconds", "7.2e3"), ("target", "\"both\"")]));
    full.id = Some(here("a\u{1b}\"b".to_owned()));
    full.events.push(here("error".to_owned()));
    full.section = Section::Builtin;
    full.priority = Some(here(Number("1e1".to_owned())));
    full.enabled = Some(here(false));
    full.mode = Some(here(Mode::Shadow));
    full.on_error = Some(here(OnError::Skip));
    full.on_failure = Some(here(OnFailure::Closed));
    full.description = Some(here("two\nlines".to_owned()));
    full.examples.push(Example::new(json(r#"{"event": {"type": "limit"}}"#), false));
    let mut folded = leaf(short(&[name("limit_code")]), Op::Eq, value("\"SPEND\""));
    folded.ignore_case = Some(here(()));
    let spend = leaf(short(&[name("cost"), name("spend")]), Op::Gt, Right::Path(short(&[name("limit_max")])));
    let any = [cond(CondKind::Leaf(spend.into())), cond(CondKind::Const(true))];
    let not = cond(CondKind::Any(any.into()));
    let conds = [cond(CondKind::Leaf(folded.into())), cond(CondKind::Not(not.into()))];
    full.condition = Some(cond(CondKind::All(conds.into())));
    policy.hooks = vec![full, hook(action(&[]))];
    let expected = r#"policy
  schema_version "1.0.0"
  events ["b",{"x":null,"y":1.5}]
  hook "a\u001b\"b"
    event thread "limit" "error"
    section builtin
    priority 10
    enabled false
    mode shadow
    condition
      all
        limit_code eq "SPEND" ignore_case
        not
          any
            cost.spend gt limit_max
            true
    action "escalate"
      "target" "both"
      "timeout_seconds" 7200
    on_error skip
    on_failure closed
    description "two\nlines"
    example does not match {"event":{"type":"limit"}}
  hook
    event thread "limit"
    action "escalate"
"#;
    assert_eq!(print::policy(&policy), expected);
}

#[test]
fn equivalent_policies_print_alike() {
    let mut plain = hook(action(&[("a", r#"{"x": 1, "y": 2}"#), ("b", "1")]));
    let mut other = hook(action(&[("b", "1.0"), ("a", r#"{"y": 2e0, "x": 1}"#)]));
    other.priority = Some(here(Number("0".to_owned())));
    other.enabled = Some(here(true));
    other.mode = Some(here(Mode::Enforce));
    other.span = UncomparedSpan(Span::new(SourceId(3), 5..9));
    let test = |right| Some(cond(CondKind::Leaf(Arc::new(leaf(short(&[name("a")]), Op::Exists, right)))));
    plain.condition = test(Right::None);
    other.condition = test(value("true"));
    let print = |hook: Hook| {
        let mut policy = Policy::empty(SourceId(0));
        policy.hooks.push(hook);
        print::policy(&policy)
    };
    assert_eq!(print(plain), print(other));
}

#[test]
fn shorthand_paths() {
    let shown = |steps: &[Step]| print::path(&short(steps));
    assert_eq!(shown(&[name("a"), name("b_1"), Step::Index(-1)]), "a.b_1[-1]");
    assert_eq!(shown(&[name("a"), name("retry-after"), name("c")]), "a['retry-after'].c");
    assert_eq!(shown(&[name("a"), name("0")]), "a['0']");
    assert_eq!(shown(&[name("größe"), name("it's"), name("")]), "größe['it\\'s']['']");
    assert_eq!(shown(&[name("true"), name("true")]), "['true'].true");
    assert_eq!(shown(&[name("a\u{202e}\n")]), "['a\\u202e\\n']");
}

fn child(text: &str) -> Segment {
    Segment::Child(vec![Selector::Name(text.to_owned())])
}

fn at(text: &str) -> Query {
    Query { segments: vec![child(text)] }
}

#[test]
fn queries() {
    let shown = |segments| print::path(&query(segments));
    assert_eq!(shown(vec![]), "$");
    assert_eq!(
        shown(vec![child("a"), Segment::Child(vec![Selector::Wildcard]), child("b c")]),
        "$.a[*]['b c']"
    );
    let slice = |start, end, step| Selector::Slice { start, end, step };
    let many = vec![Selector::Index(0), slice(Some(1), None, Some(1)), slice(None, Some(-1), Some(2))];
    assert_eq!(shown(vec![Segment::Child(many)]), "$[0, 1:, :-1:2]");
    let down = |selector| Segment::Descendant(vec![selector]);
    assert_eq!(shown(vec![down(Selector::Name("x".to_owned())), down(Selector::Wildcard)]), "$..x..*");
    assert_eq!(shown(vec![down(Selector::Index(3))]), "$..[3]");
}

#[test]
fn filters() {
    let shown = |filter| {
        let selector = Selector::Filter(here(filter));
        print::path(&query(vec![Segment::Child(vec![selector])]))
    };
    let test = |text: &str| Filter::Exists(false, at(text));
    let compare = || {
        let left = Comparable::Query(false, at("a"));
        Filter::Compare(left, CompareOp::Gte, Comparable::Num(Number("1.50".to_owned())))
    };
    assert_eq!(shown(compare()), "$[?@.a >= 1.5]");
    assert_eq!(shown(Filter::Not(Box::new(compare()))), "$[?!(@.a >= 1.5)]");
    assert_eq!(shown(Filter::Not(Box::new(test("b")))), "$[?!@.b]");
    let or = || Filter::Or(vec![test("b"), Filter::And(vec![test("c"), compare()])]);
    assert_eq!(shown(or()), "$[?@.b || @.c && @.a >= 1.5]");
    assert_eq!(
        shown(Filter::And(vec![or(), Filter::Not(Box::new(or()))])),
        "$[?(@.b || @.c && @.a >= 1.5) && !(@.b || @.c && @.a >= 1.5)]"
    );
    let text = Comparable::Str("it's".to_owned());
    let call = Filter::Call(Function::Match(Comparable::Query(false, at("d")), text));
    assert_eq!(shown(call), "$[?match(@.d, 'it\\'s')]");
    let length = Comparable::Call(Box::new(Function::Length(Comparable::Query(true, at("e")))));
    let equal =
        Filter::Compare(length, CompareOp::Eq, Comparable::Call(Box::new(Function::Count(false, at("f")))));
    assert_eq!(shown(equal), "$[?length($.e) == count(@.f)]");
}

#[test]
fn values_are_canonical() {
    let text =
        Value::new(hookc_schema::value::Kind::Str(Text::plain("a\u{7f}\u{e0001}\"\\/é")), Span::default());
    assert_eq!(print::json(&text), r#""a\u007f\udb40\udc01\"\\/é""#);
    assert_eq!(print::json(&json(r#"{"b": [1.0, -0.0, 1e400], "a": {}}"#)), r#"{"a":{},"b":[1,0,1e+400]}"#);
}

fn pattern(name: &str) -> EventPattern {
    EventPattern {
        span: UncomparedSpan::default(),
        outcome: None,
        names: vec![here(name.to_owned())],
        condition: None,
    }
}

fn selection(of: EventPattern) -> Selection {
    let span = UncomparedSpan::default();
    Selection { span, of, within: None, since: None, per: None, including_now: None }
}

fn exists(field: &str) -> Cond {
    cond(CondKind::Leaf(leaf(short(&[name(field)]), Op::Exists, Right::None).into()))
}

#[test]
fn history() {
    let mut of = pattern("PreToolUse");
    of.outcome = Some(here(OutcomeWord::Denied));
    of.names.push(here("Stop".to_owned()));
    of.condition = Some(cond(CondKind::Not(exists("a").into())));
    let mut past = selection(of);
    past.within = Some(here(Extent::Duration { count: 10, unit: DurationUnit::Minute }));
    past.since = Some(EventPattern { condition: Some(exists("b")), ..pattern("tested") });
    past.per = Some(here(PartitionKey::Agent));
    past.including_now = Some(here(()));
    let recall = |operator| path(PathKind::Recall(Box::new(Recall { operator, selection: past.clone() })));
    let count = leaf(recall(RecallOperator::Count), Op::Gte, value("5"));
    let shown = r#"denied "PreToolUse" "Stop" where not(a exists) since ("tested" where b exists) within 10m per agent including now"#;
    assert_eq!(print::leaf(&count), format!("count({shown}) gte 5"));
    let rest = Query { segments: vec![Segment::Child(vec![Selector::Name("x".to_owned())])] };
    let last = recall(RecallOperator::Last { nth: Some(here(2)), rest: rest.clone() });
    assert_eq!(print::path(&last), format!("last(2, {shown}).x"));
    let distinct = recall(RecallOperator::Distinct(vec![short(&[name("a")]), short(&[name("b")])]));
    assert_eq!(print::path(&distinct), format!("distinct(a, b of {shown})"));
    let formerly = cond(CondKind::Formerly(past.clone().into()));
    let lines = "formerly\n  of denied \"PreToolUse\" \"Stop\"\n    not\n      a exists\n  since \"tested\"\n    \
                 b exists\n  within 10m\n  per agent\n  including now\n";
    assert_eq!(print::condition(&formerly), lines);
    // Defaults print like absent ones.
    let mut plain = selection(pattern("tested"));
    plain.within = Some(here(Extent::Session));
    plain.per = Some(here(PartitionKey::Session));
    let recall = Recall { operator: RecallOperator::Last { nth: Some(here(1)), rest }, selection: plain };
    assert_eq!(print::path(&path(PathKind::Recall(Box::new(recall)))), "last(\"tested\").x");
}

#[test]
fn facts() {
    let fact = |pattern| FactPattern { pattern, description: None, keep: Vec::new() };
    let mut kept = fact(EventPattern { condition: Some(exists("a")), ..pattern("PostToolUse") });
    kept.description = Some(here("one".to_owned()));
    kept.keep.push(short(&[name("b"), name("c")]));
    let mut policy = Policy::empty(SourceId(0));
    let patterns = vec![kept, fact(pattern("Stop"))];
    policy.facts.push(Fact { name: here("seen".to_owned()), patterns });
    let expected = "policy\n  fact \"seen\"\n    event \"PostToolUse\"\n      a exists\n      description \"one\"\n      \
                    keep b.c\n    event \"Stop\"\n";
    assert_eq!(print::policy(&policy), expected);
}
