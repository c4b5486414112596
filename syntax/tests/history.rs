//! Conditions about earlier events: their trees, spans and errors, and any selection and fact for the tests of printers.

use std::sync::Arc;

use hookc_schema::tree::{
    Cond, CondKind, DurationUnit, EventPattern, Extent, Fact, FactPattern, Leaf, Op, OutcomeWord,
    PartitionKey, Path, PathKind, Policy, Query, Recall, RecallOperator, Right, Segment, Selection, Selector,
    UncomparedSpan, print as tree,
};
use hookc_schema::value::{Kind, Number, Text, TextMap, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};
use hookc_syntax::expr::print;
use hookc_syntax::front::{directive_xml, hooks_yaml};
use hookc_syntax::{limits, write};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::expr_errors::{PATH, TEMPLATE, WHEN, rejected};
use super::expr_when::parse;

fn span<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn extent() -> impl Strategy<Value = Extent> {
    let duration =
        (1u64..=30, select(DurationUnit::ALL)).prop_map(|(count, unit)| Extent::Duration { count, unit });
    prop_oneof![3 => duration, 1 => Just(Extent::Turn), 1 => Just(Extent::Session)]
}

/// Any pattern with such names and conditions.
pub(crate) fn event_pattern(
    name: BoxedStrategy<String>,
    cond: BoxedStrategy<Cond>,
) -> BoxedStrategy<EventPattern> {
    let name =
        prop_oneof![1 => Just("*".to_owned()), 5 => name.prop_filter("no name", |name| !name.is_empty())];
    let names = vec(name, 1..4).prop_map(|mut names| {
        names.sort();
        names.dedup();
        names.into_iter().map(span).collect()
    });
    let outcome = option::of(select(OutcomeWord::ALL).prop_map(span));
    let pattern = (outcome, names, option::of(cond)).prop_map(|(outcome, names, condition)| EventPattern {
        span: UncomparedSpan::default(),
        outcome,
        names,
        condition,
    });
    pattern.boxed()
}

/// Any selection with such names and conditions.
fn selection(name: BoxedStrategy<String>, cond: BoxedStrategy<Cond>) -> BoxedStrategy<Selection> {
    let pattern = event_pattern(name, cond);
    let per = option::of(select(PartitionKey::ALL).prop_map(span));
    let parts =
        (pattern.clone(), option::of(extent().prop_map(span)), option::of(pattern), per, any::<bool>());
    let selection = parts.prop_map(|(of, within, since, per, now)| Selection {
        span: UncomparedSpan::default(),
        of,
        within,
        since,
        per,
        including_now: now.then(|| span(())),
    });
    selection.boxed()
}

/// Any value of the history with such names, paths and conditions.
pub(crate) fn recall(
    name: BoxedStrategy<String>,
    path: BoxedStrategy<Path>,
    cond: BoxedStrategy<Cond>,
) -> impl Strategy<Value = Path> {
    let rest = vec("[a-z]{1,3}", 0..3).prop_map(|names| {
        let segment = |name: String| Segment::Child(vec![Selector::Name(name)]);
        Query { segments: names.into_iter().map(segment).collect() }
    });
    let nth = option::of((1..=limits::HISTORY_LAST).prop_map(span));
    let operator = prop_oneof![
        Just(RecallOperator::Count),
        path.clone().prop_map(RecallOperator::Sum),
        vec(path, 1..4).prop_map(RecallOperator::Distinct),
        (nth, rest).prop_map(|(nth, rest)| RecallOperator::Last { nth, rest }),
    ];
    (operator, selection(name, cond)).prop_map(|(operator, selection)| Path {
        span: Span::default(),
        text: "".into(),
        kind: PathKind::Recall(Box::new(Recall { operator, selection })),
    })
}

/// Any `formerly`, and any leaf with a value of the history, whose conditions are expressions in every notation.
pub(crate) fn condition(
    name: BoxedStrategy<String>,
    path: BoxedStrategy<Path>,
    cond: BoxedStrategy<Cond>,
    expression: BoxedStrategy<Cond>,
) -> BoxedStrategy<CondKind> {
    let recall = recall(name.clone(), path, expression).boxed();
    let number = (0u32..9)
        .prop_map(|n| Right::Value(Arc::new(Value::new(Kind::Num(Number(n.to_string())), Span::default()))));
    let right = prop_oneof![3 => number, 1 => recall.clone().prop_map(Right::Path)];
    let leaf = (recall, select(&[Op::Eq, Op::Gte, Op::Lt][..]), right).prop_map(|(path, op, right)| {
        CondKind::Leaf(Arc::new(Leaf { path, op: span(op), right, ignore_case: None, assert_format: None }))
    });
    prop_oneof![selection(name, cond).prop_map(|selection| CondKind::Formerly(selection.into())), leaf]
        .boxed()
}

/// Any facts with such names of events, paths, texts and conditions.
pub(crate) fn facts(
    name: BoxedStrategy<String>,
    path: BoxedStrategy<Path>,
    cond: BoxedStrategy<Cond>,
) -> impl Strategy<Value = Vec<Fact>> {
    let pattern = (event_pattern(name, cond), option::of("[a-z<& ]{1,9}x".prop_map(span)), vec(path, 0..3));
    let pattern = pattern.prop_map(|(pattern, description, keep)| FactPattern { pattern, description, keep });
    let fact = ("[a-z_]{1,2}[0-9]", vec(pattern, 1..3));
    let fact = fact.prop_map(|(name, patterns)| Fact { name: span(name), patterns });
    vec(fact, 0..3).prop_map(|mut facts| {
        facts.sort_by(|a, b| a.name.node.cmp(&b.name.node));
        facts.dedup_by(|a, b| a.name == b.name);
        facts
    })
}

#[test]
fn trees() {
    for (text, expected) in [
        ("formerly(edited)", "formerly;  of \"edited\""),
        ("formerly ( edited since tested )", "formerly;  of \"edited\";  since \"tested\""),
        ("formerly(any *)", "formerly;  of any \"*\""),
        (
            "formerly(denied PreToolUse, 'a b' where a == 1 or b == 2 within 10m since (any Stop where c == 3) per agent including now)",
            "formerly;  of denied \"PreToolUse\" \"a b\";    any;      a eq 1;      b eq 2;  since any \"Stop\";    c eq 3;  \
             within 10m;  per agent;  including now",
        ),
        (
            "formerly(x where not a == now.a within 1d)",
            "formerly;  of \"x\";    not;      a eq now.a;  within 1d",
        ),
        (
            "formerly(x where formerly(y where z == now.z) since w)",
            "formerly;  of \"x\";    formerly;      of \"y\";        z eq now.z;  since \"w\"",
        ),
        ("formerly(x within turn since y)", "formerly;  of \"x\";  since \"y\";  within turn"),
        ("formerly(x within session per session)", "formerly;  of \"x\""),
        ("count(failed within 10m) >= 5", "count(\"failed\" within 10m) gte 5"),
        (
            "count(a within turn) > count(b within turn)",
            "count(\"a\" within turn) gt count(\"b\" within turn)",
        ),
        (
            "sum(tool_input.amount of PreToolUse within 24h) > 1000",
            "sum(tool_input.amount of \"PreToolUse\" within 24h) gt 1000",
        ),
        ("distinct(file(a).path, $.b[*] of x) >= 20", "distinct(file(a).path, $.b[*] of \"x\") gte 20"),
        ("last(x).tool_input == tool_input", "last(\"x\").tool_input eq tool_input"),
        ("last(3, x where a == 1).b['c'] contains 'd'", "last(3, \"x\" where a eq 1).b.c contains \"d\""),
        ("last(1, x).a == last(x).a", "last(\"x\").a eq last(\"x\").a"),
        ("5 == 5 or a == count(x)", ""),
        ("a == (count(x))", "a eq count(\"x\")"),
        ("exists(last(x).a)", "last(\"x\").a exists"),
        ("some(w in a: formerly(x where b == w))", "some \"w\" in a;  formerly;    of \"x\";      b eq w"),
        // Words of the language are fields and events elsewhere.
        (
            "formerly == 1 and count > 2 and sum in [3] and distinct.a == last[0]",
            "all;  formerly eq 1;  count gt 2;  sum in [3];  distinct.a eq last[0]",
        ),
        ("within == since and per == where", "all;  within eq since;  per eq where"),
        (
            "formerly(x where ['within'] == 1 and a == (['since']) within 1s)",
            "formerly;  of \"x\";    all;      within eq 1;      a eq since;  within 1s",
        ),
        ("formerly(count, turn, now)", "formerly;  of \"count\" \"turn\" \"now\""),
        ("formerly('where' where a == 'within')", "formerly;  of \"where\";    a eq \"within\""),
        (
            "not formerly(x) and (formerly(y) or true)",
            "all;  not;    formerly;      of \"x\";  any;    formerly;      of \"y\";    true",
        ),
    ] {
        if expected.is_empty() {
            continue;
        }
        let cond = parse(text);
        assert_eq!(tree::condition(&cond).trim_end().replace('\n', ";"), expected, "{text}");
        for operators in [print::Operators::Symbols, print::Operators::Words] {
            let printed = print::when(&cond, operators);
            assert_eq!(parse(&printed), cond, "{printed}");
        }
    }
}

#[test]
fn canonical_text() {
    for text in [
        "formerly(edited since tested)",
        "formerly(denied PreToolUse, 'a b' where a == 1 or b == 2 within 10m since (any Stop where c == 3) per agent including now)",
        "count(* where ['of'] == 1 and not (a == now.a and b == now.b) within turn) >= 5",
        "distinct(file(a).path, $.b[*] of x since (a, b)) >= 20 and last(3, x).a =~ '^b'",
    ] {
        assert_eq!(print::when(&parse(text), print::Operators::Symbols), text);
    }
}

#[test]
fn spans() {
    let text = "a == 1 and formerly(any X, Y where b == 2 within 10m since (Z) per agent including now)";
    let CondKind::All(parts) = parse(text).kind else { panic!() };
    let CondKind::Formerly(selection) = &parts[1].kind else { panic!() };
    let shown = |span: Span| &text[span.range()];
    assert_eq!(shown(parts[1].span), &text[11..]);
    assert_eq!(shown(selection.span.0), &text[20..text.len() - 1]);
    assert_eq!(shown(selection.of.span.0), "any X, Y where b == 2");
    assert_eq!(shown(selection.of.outcome.unwrap().span), "any");
    assert_eq!(shown(selection.of.names[1].span), "Y");
    assert_eq!(shown(selection.within.unwrap().span), "10m");
    assert_eq!(shown(selection.since.as_ref().unwrap().span.0), "(Z)");
    assert_eq!(shown(selection.per.unwrap().span), "agent");
    assert_eq!(shown(selection.including_now.unwrap().span), "including now");
    let text = "last(12, 'x y').a.b == 1";
    let CondKind::Leaf(leaf) = parse(text).kind else { panic!() };
    assert_eq!(
        (&*leaf.path.text, shown_in(text, leaf.path.span)),
        ("last(12, 'x y').a.b", "last(12, 'x y').a.b")
    );
    let Some(Recall { operator: RecallOperator::Last { nth: Some(nth), .. }, selection }) =
        leaf.path.recall()
    else {
        panic!()
    };
    assert_eq!((nth.node, shown_in(text, nth.span)), (12, "12"));
    assert_eq!(shown_in(text, selection.of.names[0].span), "'x y'");
}

fn shown_in(text: &str, span: Span) -> &str {
    &text[span.range()]
}

#[test]
fn errors() {
    let mut wrong = Vec::new();
    for (marked, code, hint) in [
        ("formerly(«)»", Code::E0302, "formerly(edited since tested)"),
        ("formerly(any«)»", Code::E0302, "formerly(edited since tested)"),
        ("formerly(denied «where» a == 1)", Code::E0302, "write the event first"),
        ("formerly(a, «)»", Code::E0302, "formerly("),
        ("formerly(«in» where a == 1)", Code::E0302, "'in'"),
        ("formerly(«5»)", Code::E0302, "formerly("),
        ("formerly(«''»)", Code::E0203, "name of an event"),
        ("formerly(a, b, «a»)", Code::E0212, "remove"),
        ("formerly(a«.»b == 1)", Code::E0302, "PreToolUse where a ..."),
        ("formerly(tool_name «==» 'Bash')", Code::E0302, "`where` before a condition"),
        ("formerly(a «or» b)", Code::E0302, "`or` between two"),
        ("formerly(a «wher» b == 1)", Code::E0302, "where"),
        ("formerly(a «b»)", Code::E0302, "`,` between event types"),
        ("formerly(a where«)»", Code::E0302, "path"),
        ("formerly(a where «within» 10m)", Code::E0302, "['within']"),
        ("formerly(a where b == 1 «witin» 10m)", Code::E0302, ""),
        ("formerly(a where (b == 1 «within» 10m))", Code::E0302, "after the parentheses"),
        ("formerly(a within «10»)", Code::E0449, "10m"),
        ("formerly(a within «5» minutes)", Code::E0449, "unit"),
        ("formerly(a within «5min»)", Code::E0449, ""),
        ("formerly(a within «1h30m»)", Code::E0449, "90m"),
        ("formerly(a within «2w»)", Code::E0449, "`d`"),
        ("formerly(a within «1.5h»)", Code::E0449, "10m"),
        ("formerly(a within «-5m»)", Code::E0449, "10m"),
        ("formerly(a within «0s»)", Code::E0449, "turn"),
        ("formerly(a within «31d»)", Code::E0449, "30d"),
        ("formerly(a within «99999999999999999999d»)", Code::E0449, "30d"),
        ("formerly(a within «999999999999999999d»)", Code::E0449, "30d"),
        ("formerly(a within «turns»)", Code::E0449, ""),
        ("formerly(a within«)»", Code::E0302, "within 10m"),
        ("formerly(a within «'»10m')", Code::E0302, ""),
        ("formerly(a since«)»", Code::E0302, "formerly("),
        ("formerly(a since «denied» b)", Code::E0302, "since (denied PreToolUse)"),
        ("formerly(a since b«,» c)", Code::E0302, "since (Stop, SessionStart)"),
        ("formerly(a since b «where» c == 1)", Code::E0302, "parentheses"),
        ("formerly(a since (b «within» 10m))", Code::E0302, "after the parentheses"),
        ("formerly(a per «tool»)", Code::E0302, "now.tool_name"),
        ("formerly(a per «agents»)", Code::E0302, ""),
        ("formerly(a including«)»", Code::E0302, "including now"),
        ("formerly(a since b «within» 1h)", Code::E0450, "the order is"),
        ("formerly(a per user «per» agent)", Code::E0450, "the order is"),
        ("formerly(a within 1h «where» b == 1)", Code::E0302, "the order is"),
        ("count(a where b == 1«,» c == 2) >= 2", Code::E0302, "`and`"),
        ("last(a, «2»).b == 1", Code::E0302, "last(2, PreToolUse)"),
        ("count(a since «1»0m) > 3", Code::E0302, "within 10m"),
        ("formerly(a including now «since» b)", Code::E0450, "the order is"),
        ("formerly«(»a", Code::E0302, ""),
        ("formerly(a) «==» true", Code::E0302, ""),
        ("a == «formerly»(b)", Code::E0302, "count"),
        ("«count(a)»", Code::E0303, "count(a) >= 3"),
        ("«last(a).b»", Code::E0303, "exists(last(a).b)"),
        ("count(a)«.»b == 1", Code::E0302, "count(...) >= 3"),
        ("sum(«)» > 1", Code::E0302, "sum(tool_input.path of PostToolUse)"),
        ("sum(a.b«)» > 1", Code::E0302, "sum(a.b of PostToolUse)"),
        ("formerly «a» or b == 1", Code::E0302, "formerly(a)"),
        ("formerly(a «when» b == 1)", Code::E0302, "where"),
        ("sum(a«)» > 1", Code::E0302, "sum(tool_input.path of a)"),
        ("sum(a«,» b of c) > 1", Code::E0302, "for each path"),
        ("sum(a «from» c) > 1", Code::E0302, "sum(a of PostToolUse)"),
        ("distinct(a, «of» b) > 1", Code::E0302, "distinct("),
        ("sum(«count(x)» of c) > 1", Code::E0301, "tool_input.file_path"),
        ("last(«0», a).b == 1", Code::E0449, "last(2, PreToolUse)"),
        ("last(«17», a).b == 1", Code::E0449, "last(2, PreToolUse)"),
        ("last(«1.5», a).b == 1", Code::E0449, "last(2, PreToolUse)"),
        ("last(2 «a»).b == 1", Code::E0302, "last(2, PreToolUse)"),
        ("last(a).«[»x] == 1", Code::E0301, ""),
        ("some(x in «last(a).b»: x == 1)", Code::E0301, "tool_input.file_path"),
        ("shell(«last»(a).b).ok == true", Code::E0301, "path of the event"),
        ("«formrly»(a)", Code::E0302, ""),
    ] {
        let open = marked.starts_with("formerly«(»");
        if !open && let Err(why) = std::panic::catch_unwind(|| rejected(WHEN, marked, code, hint)) {
            wrong.push(format!("{marked}: {:?}", why.downcast_ref::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    rejected(PATH, "count(a) «>=» 5", Code::E0302, "`op:`");
    rejected(PATH, "count(«)»", Code::E0302, "count(");
    rejected(TEMPLATE, "x ${count(a«}»", Code::E0302, "");
    rejected(TEMPLATE, "x ${formerly«(»a)}", Code::E0304, "");
}

/// Several errors in one expression, each reported once.
#[test]
fn errors_are_reported_together() {
    let text = "formerly(a within 5) and count(b per nobody) > 1 or sum(c) == 1";
    let mut out = Diagnostics::new();
    let whole = Span::new(SourceId(0), 0..text.len());
    let read = hookc_syntax::expr::when::parse(&Text::plain(text), whole, &mut out);
    assert!(read.is_none());
    assert_eq!(
        out.iter().map(|new| new.code).collect::<Vec<_>>(),
        [Code::E0449, Code::E0302, Code::E0302],
        "{out:?}"
    );
}

#[test]
fn templates() {
    use hookc_syntax::expr::template::{Piece, parse};
    let text = "${count(a where b == '}' within 10m)} of ${last(x).y ?? \"none\"}";
    let mut out = Diagnostics::new();
    let whole = Span::new(SourceId(0), 0..text.len());
    let source = Text { value: text.to_owned(), map: TextMap::Shift(0) };
    let template = parse(&source, whole, &mut out).unwrap();
    let [Piece::Hole { path: count, .. }, Piece::Text(of), Piece::Hole { path: last, default: Some(_) }] =
        template.pieces.as_slice()
    else {
        panic!("{template:?}")
    };
    assert_eq!((print::path(count).as_str(), of.as_str()), ("count(a where b == '}' within 10m)", " of "));
    assert_eq!(print::path(last), "last(x).y");
    assert_eq!(hookc_syntax::expr::template::print(&template), text);
    assert_eq!(&text[count.span.range()], "count(a where b == '}' within 10m)");
}

fn yaml(text: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    (hooks_yaml::read(text, SourceId(0), &mut out), out)
}

fn xml(text: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = directive_xml::read(("a.xml", text), SourceId(0), &Vocabulary::builtin(), &mut out);
    (policy, out)
}

fn sound((policy, out): (Policy, Diagnostics)) -> Policy {
    assert!(!out.iter().any(Diagnostic::is_error), "{out:#?}");
    policy
}

const YAML: &str = r#"
facts:
  edited:
    description: A file has changed.
    event: [PostToolUse, FileChanged]
    condition: {path: tool_name, op: in, value: [Edit, Write]}
    when: tool_input.file_path != null
    keep: [tool_input.file_path]
  tested:
    - {event: PostToolUse, outcome: any, when: "passed('cargo test')"}
    - event: PostToolUse
      condition:
        formerly: {of: edited}
hooks:
  - event: Stop
    condition:
      all:
        - formerly: {of: edited, since: tested}
        - formerly:
            of: {event: PreToolUse, outcome: denied, condition: {path: tool_name, op: eq, value: Bash}}
            within: 30m
            since: {event: [SessionStart, tested], when: now.a == a}
            per: agent
            including_now: true
        - {path: "count(edited within 10m)", op: gte, value: 5}
        - {path: last(edited).tool_input.file_path, op: eq, value_path: "last(2, edited).tool_input.file_path"}
    action: {type: deny, reason: "${count(edited)} edits"}
"#;

const XML: &str = r#"<directive name="hooks" version="1.0.0"><hooks>
  <facts>
    <fact name="edited" event="PostToolUse, FileChanged" when="tool_input.file_path != null">
      <description>A file has changed.</description>
      <condition path="tool_name" op="in" type="json" value='["Edit", "Write"]'/>
      <keep>tool_input.file_path</keep>
    </fact>
    <fact name="tested" event="PostToolUse" outcome="any"><passed><of>cargo test</of></passed></fact>
    <fact name="tested" event="PostToolUse"><formerly><of fact="edited"/></formerly></fact>
  </facts>
  <hook event="Stop">
    <all>
      <formerly><of fact="edited"/><since fact="tested"/></formerly>
      <formerly within="30m" per="agent" including-now="true">
        <of event="PreToolUse" outcome="denied"><condition path="tool_name" op="eq" value="Bash"/></of>
        <since event="SessionStart, tested" when="now.a == a"/>
      </formerly>
      <condition path="count(edited within 10m)" op="gte" value="5"/>
      <condition path="last(edited).tool_input.file_path" op="eq" value_path="last(2, edited).tool_input.file_path"/>
    </all>
    <action type="deny" reason="${count(edited)} edits"/>
  </hook>
</hooks></directive>"#;

#[test]
fn notations_of_one_policy() {
    let from_yaml = sound(yaml(YAML));
    let from_xml = sound(xml(XML));
    assert_eq!(from_yaml.facts, from_xml.facts);
    assert_eq!(from_yaml.hooks, from_xml.hooks);
    assert_eq!(tree::policy(&from_yaml), tree::policy(&from_xml));
    let condition = from_yaml.hooks[0].condition.as_ref().unwrap();
    let printed = print::when(condition, print::Operators::Symbols);
    assert_eq!(
        printed,
        "formerly(edited since tested) and formerly(denied PreToolUse where tool_name == 'Bash' within 30m since \
         (SessionStart, tested where now.a == a) per agent including now) and count(edited within 10m) >= 5 and \
         last(edited).tool_input.file_path == last(2, edited).tool_input.file_path"
    );
    assert_eq!(&parse(&printed), condition);
    for policy in [&from_yaml, &from_xml] {
        let (text, losses) = write::hooks_yaml::write(policy);
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(&sound(yaml(&text)), policy, "{text}");
        let (text, losses) = write::directive_xml::write(policy);
        assert!(losses.is_empty(), "{losses:?}");
        let again = sound(xml(&text));
        assert_eq!((&again.facts, &again.hooks), (&policy.facts, &policy.hooks), "{text}");
    }
}

/// Conditions that people ask for.
const POLICIES: &[&str] = &[
    "PUSH and formerly(edited since tested)",
    "stop_hook_active != true and formerly(edited since tested)",
    "PUSH and not formerly(built within 1h since edited)",
    "tool_name in ['Edit', 'Write'] and not formerly(planned)",
    "PUSH and not formerly(PostToolUse where tool_ok == true and PUSH within 30m)",
    "PUSH and not formerly(denied PreToolUse where PUSH within turn)",
    "not formerly(seen where file(tool_input.file_path).path == file(now.tool_input.file_path).path)",
    "formerly(FileChanged where file(file_path).path == file(now.tool_input.file_path).path since (seen where \
     file(tool_input.file_path).path == file(now.tool_input.file_path).path))",
    "distinct(file(tool_input.file_path).path of edited within turn) >= 20",
    "count(edited where tool_input.file_path == now.tool_input.file_path since tested) >= 8",
    "tool_input.file_path glob '**/tests/**' and formerly(test_failed since tested)",
    "count(PreToolUse where tool_name == now.tool_name and tool_input == now.tool_input within turn) >= 2",
    "count(PreToolUse where SAME since (PreToolUse where not (SAME))) >= 2",
    "last(2, PreToolUse).tool_input == tool_input and last(4, PreToolUse).tool_input == tool_input and \
     last(PreToolUse).tool_input == last(3, PreToolUse).tool_input and last(PreToolUse).tool_input != tool_input",
    "count(failed within 10m) >= 5",
    "count(failed since succeeded including now) >= 3",
    "formerly(failed where tool_input.command == now.tool_input.command since edited)",
    "count(denied PreToolUse within turn) >= 3",
    "count(failed within turn) >= 5 and count(failed within turn) > count(succeeded within turn)",
    "tool_name == 'Task' and count(PreToolUse where tool_name == 'Task') >= 200",
    "PUSH and count(deployed within 24h per project) >= 3",
    "sum(tool_input.amount of PreToolUse where tool_name == 'mcp__bank__transfer' within 24h including now) > 1000",
    "count(PreToolUse within 1m) >= 60",
    "sum(cost.spend of after_complete within 24h per user) > 50",
    "exists(agent_id) and count(PreToolUse per agent) >= 100",
    "formerly(error where classification.category == 'rate_limited' within 1m)",
    "PUSH and formerly(untrusted within turn) and formerly(private_read)",
    "some(c in shell(tool_input.command).commands: c.name == 'curl' and some(w in c.args: formerly(secret_copied where \
     shell(tool_input.command).commands[*].operands[*] == w)))",
    "PUSH and formerly(PostToolUse where PUSH and tool_input.customer != now.tool_input.customer)",
    "PUSH and not (tool_input.to =~ /@example\\.com$/) and formerly(PostToolUse where PUSH)",
    "tool_name in ['Edit', 'Write'] and formerly(production since prompted)",
    "PUSH and formerly(edited per agent)",
    "formerly(PostCompact since UserPromptSubmit)",
    "PUSH and not formerly(UserPromptSubmit within 30m)",
    "formerly(any B within 1h since (any * where not (A == 1) and not (B == 2)) including now)",
    "formerly(any P within 1h since (any *))",
];

#[test]
fn policies_that_people_ask_for() {
    for policy in POLICIES {
        let text = policy
            .replace(
                "PUSH",
                "some(c in shell(tool_input.command).commands: c.name == 'git' and c.sub == 'push')",
            )
            .replace("SAME", "tool_name == now.tool_name and tool_input == now.tool_input");
        let cond = parse(&text);
        assert_eq!(parse(&print::when(&cond, print::Operators::Symbols)), cond, "{text}");
        assert_eq!(parse(&print::when(&cond, print::Operators::Words)), cond, "{text}");
    }
}

/// A policy with a hook of this condition, and facts.
fn policy(condition: Cond, facts: Vec<Fact>) -> Policy {
    let text = "hooks:\n- {event: Stop, when: 'true', action: {type: deny, reason: stop}}\n";
    let mut policy = sound(yaml(text));
    policy.facts = facts;
    policy.hooks[0].condition = Some(condition);
    policy
}

proptest! {
    #![proptest_config(ProptestConfig { cases: hookc_corpus::effort(1500, 200) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each notation expresses any condition and fact, or reports what it cannot express.
    #[test]
    fn any_policy_is_written_and_read_back(cond in super::expr_roundtrip::cond(), facts in any_facts()) {
        let policy = policy(cond, facts);
        let (text, losses) = write::hooks_yaml::write(&policy);
        prop_assert!(losses.is_empty(), "{:?}", losses);
        let (again, out) = yaml(&text);
        prop_assert!(!out.iter().any(Diagnostic::is_error), "{}\n{:#?}", text, out);
        prop_assert_eq!(&again, &policy, "{}", text);
        let (text, losses) = write::directive_xml::write(&policy);
        let (again, out) = xml(&text);
        // Directive XML rejects `in` and `matches` with a text.
        prop_assume!(!out.iter().any(|new| new.code == Code::E0402));
        let has_hook = !losses.iter().any(|loss| loss.what.contains("hook"));
        prop_assert!(!out.iter().any(Diagnostic::is_error) || !has_hook, "{}\n{:#?}", text, out);
        let lost = |name: &str| losses.iter().any(|loss| loss.what.contains(&format!("fact `{name}`")));
        let facts: Vec<_> = policy.facts.into_iter().filter(|fact| !lost(&fact.name.node)).collect();
        prop_assert_eq!(&again.facts, &facts, "{}", text);
        if has_hook {
            prop_assert_eq!(&again.hooks, &policy.hooks, "{}", text);
        }
    }
}

fn any_facts() -> impl Strategy<Value = Vec<Fact>> {
    let name = prop_oneof![4 => "[A-Za-z]{1,3}", 1 => any::<String>()];
    let path = "[a-z]{1,2}".prop_map(|name| {
        let kind = PathKind::Short(Arc::new([hookc_schema::tree::Step::Name(name)]));
        Path { span: Span::default(), text: "".into(), kind }
    });
    facts(name.boxed(), path.boxed(), super::expr_roundtrip::cond().boxed())
}

/// The code and the marked text of each error of a file.
fn found(text: &str, out: &Diagnostics) -> Vec<(Code, String)> {
    out.iter().map(|new| (new.code, text[new.span().unwrap().range()].to_owned())).collect()
}

#[test]
fn errors_of_facts_and_keys() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("facts: [edited]\n", vec![(Code::E0203, "[")]),
        ("facts:\n  a b: {event: Stop}\n", vec![(Code::E0451, "a b")]),
        (
            "facts:\n  since: {event: Stop}\n  count: {event: Stop}\n  in: {event: Stop}\n",
            vec![(Code::E0451, "since"), (Code::E0451, "count"), (Code::E0451, "in")],
        ),
        ("facts:\n  a: Stop\n", vec![(Code::E0203, "Stop")]),
        ("facts:\n  a: []\n", vec![(Code::E0206, "[]")]),
        ("facts:\n  a: {when: b == 1}\n", vec![(Code::E0202, "when")]),
        ("facts:\n  a: {event: Stop, where: b == 1}\n", vec![(Code::E0201, "where")]),
        ("facts:\n  a: {event: Stop, outcome: failed}\n", vec![(Code::E0204, "failed")]),
        ("facts:\n  a: {event: Stop, keep: [count(b)]}\n", vec![(Code::E0301, "count(b)")]),
        ("facts:\n  a: {event: Stop}\n  a: {event: Stop}\n", vec![(Code::E0102, "a")]),
    ] {
        let (_, out) = yaml(text);
        let found = found(text, &out);
        let found: Vec<_> = found.iter().map(|(code, text)| (*code, text.as_str())).collect();
        if found != expected {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    for (condition, expected) in [
        ("{formerly: {since: a}}", vec![(Code::E0202, "since")]),
        ("{formerly: {of: a}, not: true}", vec![(Code::E0205, "not")]),
        ("{formerly: {of: a}, value: 1}", vec![(Code::E0201, "value")]),
        ("{formerly: {of: denied Stop}}", vec![(Code::E0203, "denied Stop")]),
        ("{formerly: {of: ''}}", vec![(Code::E0203, "")]),
        ("{formerly: {of: [a, b]}}", vec![(Code::E0203, "[")]),
        ("{formerly: {of: {condition: true}}}", vec![(Code::E0202, "condition")]),
        ("{formerly: {of: a, within: 30}}", vec![(Code::E0203, "30")]),
        ("{formerly: {of: a, within: 5w}}", vec![(Code::E0449, "5w")]),
        ("{formerly: {of: a, per: tool}}", vec![(Code::E0204, "tool")]),
        ("{formerly: {of: a, including-now: true}}", vec![(Code::E0201, "including-now")]),
        ("{formerly: edited}", vec![(Code::E0203, "edited")]),
        ("{path: 'count(a within 5)', op: gt, value: 1}", vec![(Code::E0449, "5")]),
        ("{some: {as: x, in: last(a).b, condition: true}}", vec![(Code::E0301, "last(a).b")]),
    ] {
        let text = format!(
            "hooks:\n- event: Stop\n  condition: {condition}\n  action: {{type: deny, reason: stop}}\n"
        );
        let (_, out) = yaml(&text);
        let found = found(&text, &out);
        let found: Vec<_> = found.iter().map(|(code, text)| (*code, text.trim_matches('\''))).collect();
        if found != expected {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_of_elements() {
    let mut wrong = Vec::new();
    for (inside, expected) in [
        ("<formerly/>", vec![(Code::E0202, "formerly")]),
        ("<formerly><of event='a'/><of event='b'/></formerly>", vec![(Code::E0205, "of")]),
        ("<formerly><of event='a' fact='b'/></formerly>", vec![(Code::E0205, "event")]),
        ("<formerly><of/></formerly>", vec![(Code::E0202, "of")]),
        ("<formerly within='5w'><of event='a'/></formerly>", vec![(Code::E0449, "5w")]),
        ("<formerly per='tool'><of event='a'/></formerly>", vec![(Code::E0204, "tool")]),
        ("<formerly since='b'><of event='a'/></formerly>", vec![(Code::E0208, "since")]),
        ("<formerly including_now='true'><of event='a'/></formerly>", vec![(Code::E0208, "including_now")]),
        ("<formerly><of event='a'><keep>b</keep></of></formerly>", vec![(Code::E0208, "keep")]),
        ("<formerly><event name='a'/></formerly>", vec![(Code::E0208, "event")]),
        ("<some as='x' in='count(a)'><true/></some>", vec![(Code::E0301, "count(a)")]),
    ] {
        let text = format!(
            "<directive name='a'><hooks><hook event='Stop'>{inside}<action type='deny' reason='no'/></hook></hooks></directive>"
        );
        let (_, out) = xml(&text);
        let found = found(&text, &out);
        let found: Vec<_> = found.iter().map(|(code, text)| (*code, text.as_str())).collect();
        if found != expected {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    for (facts, expected) in [
        ("<facts><fact event='a'/></facts>", vec![(Code::E0202, "fact")]),
        ("<facts><fact name='a'/></facts>", vec![(Code::E0202, "fact")]),
        ("<facts><fact name='of' event='a'/></facts>", vec![(Code::E0451, "of")]),
        ("<facts><fact name='a' event='b' keep='c'/></facts>", vec![(Code::E0208, "keep")]),
        ("<facts><edited event='b'/></facts>", vec![(Code::E0208, "edited")]),
        ("<fact name='a' event='b'/>", vec![(Code::E0208, "fact")]),
    ] {
        let text = format!("<directive name='a'><hooks>{facts}</hooks></directive>");
        let (_, out) = xml(&text);
        let found = found(&text, &out);
        let found: Vec<_> = found.iter().map(|(code, text)| (*code, text.as_str())).collect();
        if found != expected {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nesting is bounded in selections too.
#[test]
fn nesting() {
    let nested = |depth: usize| format!("{}true{}", "formerly(a where ".repeat(depth), ")".repeat(depth));
    let parsed = |text: &str| {
        let mut out = Diagnostics::new();
        let whole = Span::new(SourceId(0), 0..text.len());
        let read = hookc_syntax::expr::when::parse(&Text::plain(text), whole, &mut out);
        (read.is_some(), out.iter().map(|new| new.code).collect::<Vec<_>>())
    };
    assert_eq!(parsed(&nested(limits::NESTING)), (true, vec![]));
    assert_eq!(parsed(&nested(limits::NESTING + 1)), (false, vec![Code::E0103]));
    let counts = |depth: usize| format!("{}b == 1{}", "count(a where ".repeat(depth), ") == 1".repeat(depth));
    assert_eq!(parsed(&counts(limits::NESTING + 1)), (false, vec![Code::E0103]));
    // In a tree, a path has the levels that its mappings leave.
    let tree = |mappings: usize, levels: usize| {
        let (open, close) = ("{not: ".repeat(mappings), "}".repeat(mappings));
        let path = counts(levels).replace("'", "");
        let path = path.strip_suffix(" == 1").unwrap();
        let text = format!(
            "hooks:\n- event: Stop\n  condition: {open}{{path: \"{path}\", op: gt, value: 1}}{close}\n  action: {{type: deny}}\n"
        );
        yaml(&text).1.iter().map(|new| new.code).collect::<Vec<_>>()
    };
    assert_eq!(tree(60, 60), []);
    assert_eq!(tree(60, limits::NESTING - 60), [Code::E0103]);
}

/// A long selection takes time that follows its length.
#[test]
fn speed() {
    let list = (0..4_000).map(|at| format!("e{at}")).collect::<Vec<_>>().join(", ");
    let text = format!("formerly({list})");
    let began = std::time::Instant::now();
    assert_eq!(parse(&text), parse(&print::when(&parse(&text), print::Operators::Symbols)));
    assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
}
