//! Directive XML: what is read, and what is reported.

use hookc_schema::tree::{CondKind, Hook, Mode, OnError, OnFailure, Policy, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostics, SourceId};
use hookc_syntax::expr::print;
use hookc_syntax::front::directive_xml;
use proptest::prelude::*;

fn read(source: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = directive_xml::read(("a.md", source), SourceId(0), &Vocabulary::builtin(), &mut out);
    (policy, out)
}

fn wrap(hooks: &str) -> String {
    format!("<directive name=\"d\" version=\"1.0.0\"><hooks>{hooks}</hooks></directive>")
}

/// The one hook of a source without a problem.
fn hook(source: &str) -> Hook {
    let (mut policy, out) = read(source);
    assert!(out.is_empty(), "{source}\n{out:#?}");
    assert_eq!(policy.hooks.len(), 1, "{source}");
    policy.hooks.remove(0)
}

fn inner(children: &str) -> Hook {
    hook(&wrap(&format!("<hook event=\"error\">{children}</hook>")))
}

fn condition(element: &str) -> String {
    let hook = inner(&format!("{element}<action type=\"abort\"/>"));
    print::when(&hook.condition.unwrap(), print::Operators::Words)
}

fn json(value: &Value) -> String {
    print::json(value)
}

/// The parameters of the action as `name=json`.
fn params(children: &str) -> String {
    let hook = inner(children);
    let one = |(name, value): &(_, _)| {
        let name: &hookc_schema::Spanned<String> = name;
        format!("{}={}", name.node, json(value))
    };
    hook.action.params.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_whole_hook() {
    let source = wrap(
        "<hook event=' error, limit ' id='a' priority='-1.5' enabled='false' mode='shadow' on_error='retry' \
         on_failure='closed' description=' d ' when=\"code eq 'x'\">
           <condition path='n' op='gt' value='3'/>
           <action type='escalate' target='both' timeout_seconds='60'/>
           <example matches='false'>{\"n\": 1}</example>
         </hook>",
    );
    let hook = hook(&source);
    let events: Vec<_> = hook.events.iter().map(|event| event.node.as_str()).collect();
    assert_eq!(events, ["error", "limit"]);
    assert_eq!(source[hook.events[1].span.range()], *"limit");
    assert_eq!(hook.id.unwrap().node, "a");
    assert_eq!(hook.priority.unwrap().node.0, "-1.5");
    assert!(!hook.enabled.unwrap().node);
    assert_eq!(hook.mode.unwrap().node, Mode::Shadow);
    assert_eq!(hook.on_error.unwrap().node, OnError::Retry);
    assert_eq!(hook.on_failure.unwrap().node, OnFailure::Closed);
    assert_eq!(hook.description.unwrap().node, " d ");
    let Some(CondKind::All(parts)) = hook.condition.map(|condition| condition.kind) else { panic!() };
    assert_eq!(
        parts.iter().map(|part| print::when(part, print::Operators::Words)).collect::<Vec<_>>(),
        ["n gt 3", "code eq 'x'"]
    );
    assert_eq!(hook.action.kind.node, "escalate");
    assert!(hook.action.templates);
    assert_eq!((json(&hook.examples[0].event), hook.examples[0].matches), ("{\"n\":1}".to_owned(), false));
}

#[test]
fn conditions() {
    for (element, when) in [
        ("<condition path='a' op='eq' value='5'/>", "a eq 5"),
        ("<condition path='a' op='eq' value='5.0'/>", "a eq 5.0"),
        ("<condition path='a' op='eq' value=' 5'/>", "a eq ' 5'"),
        ("<condition path='a' op='eq' value='05'/>", "a eq '05'"),
        ("<condition path='a' op='eq' value='5' type='string'/>", "a eq '5'"),
        ("<condition path='a' op='eq' value='&quot;5&quot;'/>", "a eq '5'"),
        ("<condition path='a' op='eq' value='null'/>", "a eq null"),
        ("<condition path='a' op='eq' value='true'/>", "a eq true"),
        ("<condition path='a' op='eq' value='True'/>", "a eq 'True'"),
        ("<condition path='a' op='eq' value=''/>", "a eq ''"),
        ("<condition path='a' op='in' value='[1, \"x\"]' type='json'/>", "a in [1, 'x']"),
        ("<condition path='a' op='contains' value='X' ignore_case='true'/>", "a contains 'X' nocase"),
        ("<condition path='a' op='contains' value='X' ignore_case='false'/>", "a contains 'X'"),
        ("<condition path='a' op='lt' value_path='b.c'/>", "a lt b.c"),
        ("<condition path='a' op='exists'/>", "exists(a)"),
        ("<condition path='a' op='exists' value='true'/>", "exists(a)"),
        (
            "<any><condition path='a' op='exists'/><not><true/></not><false/></any>",
            "exists(a) or not true or false",
        ),
        ("<all/>", "all()"),
        ("<any/>", "any()"),
        ("<when>a &lt; 3 <![CDATA[&& b < 4]]></when>", "a lt 3 and b lt 4"),
    ] {
        assert_eq!(condition(element), when, "{element}");
    }
    let schema =
        r#"<condition path="a" op="matches" type="json" assert_format="true" value='{"format": "date"}'/>"#;
    let hook = inner(&format!("{schema}<action type='abort'/>"));
    let Some(CondKind::Leaf(leaf)) = hook.condition.map(|condition| condition.kind) else { panic!() };
    assert!(leaf.assert_format.is_some());
    assert!(matches!(&leaf.right, Right::Value(value) if matches!(value.kind, Kind::Map(_))));
}

#[test]
fn parameters() {
    for (children, expected) in [
        ("<directive> a/b </directive>", r#"directive="a/b""#),
        ("<directive xml:space='preserve'> a</directive>", r#"directive=" a""#),
        ("<directive>7</directive>", r#"directive="7""#),
        (
            "<directive>a</directive><parameters><wait>${x.y}</wait><n>3</n><s type='string'>3</s><o><k>true</k></o></parameters>",
            r#"directive="a" parameters={"wait":"${x.y}","n":3,"s":"3","o":{"k":true}}"#,
        ),
        (
            "<directive>a</directive><inputs><input name='k' value=' v '/><input>x</input><n value='1' type='string'/></inputs>",
            r#"directive="a" parameters={"k":" v ","input":"x","n":"1"}"#,
        ),
        ("<action type='retry'><param name='max_attempts' value='5'/></action>", "max_attempts=5"),
        (
            "<directive>a</directive><inputs><param name='k k'>v</param></inputs>",
            r#"directive="a" parameters={"k k":"v"}"#,
        ),
        ("<directive>a</directive><parameters/>", r#"directive="a" parameters={}"#),
        (
            "<directive>a</directive><parameters>{\"k\": [1]}</parameters>",
            r#"directive="a" parameters={"k":[1]}"#,
        ),
        (
            "<action type='call_directive' directive='a' inherit_token='false'><inputs><k>1</k></inputs></action>",
            r#"directive="a" inherit_token=false parameters={"k":1}"#,
        ),
        ("<action type='retry' max_attempts='5'/>", "max_attempts=5"),
        ("<action type='retry'><param name='max_attempts'> 5 </param></action>", "max_attempts=5"),
        ("<action type='retry' max_attempts='${n ?? 3}'/>", r#"max_attempts="${n ?? 3}""#),
        ("<action type='fail' error_message='404'/>", r#"error_message="404""#),
        (
            "<action type='fail'><param name='error_message'>\n  null\n</param></action>",
            r#"error_message="null""#,
        ),
        (
            "<action type='fail'><param name='error_message' xml:space='preserve'> a\n</param></action>",
            r#"error_message=" a\n""#,
        ),
        ("<action type='fail'><param name='error_message'/></action>", r#"error_message="""#),
        (
            "<action type='emit_event' event_type='e'><param name='payload'><param name='a'>1</param><param name='b'><param>x</param><param type='json'>[]</param></param></param></action>",
            r#"event_type="e" payload={"a":1,"b":["x",[]]}"#,
        ),
        (
            "<action type='emit_event' event_type='e'><param name='payload'>{\"m\": \"${x}\"}</param></action>",
            r#"event_type="e" payload={"m":"${x}"}"#,
        ),
        ("<action type='own' a='1' b='x'><param name='type'>true</param></action>", r#"a=1 b="x" type=true"#),
        ("<action type='own' a='1' type2='2' xml:lang='en'/>", "a=1 type2=2"),
    ] {
        assert_eq!(params(children), expected, "{children}");
    }
}

#[test]
fn problems_have_message_and_span() {
    let abort = "<action type='abort'/>";
    let h = |attributes: &str, children: &str| format!("<hook event='error' {attributes}>{children}</hook>");
    for (hooks, code, place, words) in [
        ("<hook><action type='abort'/></hook>".to_owned(), Code::E0202, "hook", "event=\\\"error\\\""),
        (h("", ""), Code::E0202, "hook", "<directive>path</directive>"),
        (h("", "<action/>"), Code::E0202, "action", "`<action>` without `type`"),
        (h("", "<directive> </directive>"), Code::E0202, "directive", "without a path"),
        (h("", "<directive>a</directive><action type='abort'/>"), Code::E0209, "action", "two hooks"),
        (h("prio='1'", abort), Code::E0208, "prio", "priority"),
        (h("priority='high'", abort), Code::E0203, "high", "number"),
        (h("priority='1e99999'", abort), Code::E0308, "1e99999", "limit"),
        (h("enabled='yes'", abort), Code::E0203, "yes", "`true` or `false`"),
        (h("mode='shadw'", abort), Code::E0204, "shadw", "did you mean `shadow`?"),
        (h("on_error='x'", abort), Code::E0204, "x", "`skip`, `fail`, `retry`"),
        (h("id='a#1'", abort), Code::E0210, "a#1", "`#`"),
        (h("", "stray <action type='abort'/>"), Code::E0208, "stray", "comment"),
        (h("", "<actoin type='abort'/>"), Code::E0208, "actoin", "did you mean `action`?"),
        (h("", "<frob>a</frob><action type='abort'/>"), Code::E0208, "frob", "allowed here"),
        (h("", "<param name='a'>1</param><action type='abort'/>"), Code::E0208, "param", "`<parameters>`"),
        (h("", "<directive a='1'>x</directive>"), Code::E0208, "a", "call_directive"),
        (h("", "<directive>x<b/></directive>"), Code::E0208, "b", "only text"),
        (h("", "<true/><false/><action type='abort'/>"), Code::E0205, "false", "`<all>`"),
        (
            h("when='a eq 1'", "<when>b eq 2</when><action type='abort'/>"),
            Code::E0209,
            "when",
            "second `when`",
        ),
        (h("when='a eq'", abort), Code::E0302, "", ""),
        (
            h("description='a'", "<description>b</description><action type='abort'/>"),
            Code::E0209,
            "description",
            "",
        ),
        (h("", "<not/><action type='abort'/>"), Code::E0206, "<not/>", "one condition"),
        (h("", "<not><true/><true/></not><action type='abort'/>"), Code::E0205, "true", "`<all>`"),
        (h("", "<all>x</all><action type='abort'/>"), Code::E0208, "x", ""),
        (
            h("", "<all><condtion/></all><action type='abort'/>"),
            Code::E0208,
            "condtion",
            "did you mean `condition`?",
        ),
        (
            h("", "<condition op='eq' value='1'/><action type='abort'/>"),
            Code::E0202,
            "<condition op='eq' value='1'/>",
            "no `path`",
        ),
        (
            h("", "<condition path='a'/><action type='abort'/>"),
            Code::E0202,
            "<condition path='a'/>",
            "no `op`",
        ),
        (
            h("", "<condition path='a' op='equals' value='1'/><action type='abort'/>"),
            Code::E0401,
            "equals",
            "",
        ),
        (
            h("", "<condition path='a' op='&gt;=' value='1'/><action type='abort'/>"),
            Code::E0401,
            "&gt;=",
            "did you mean `gte`?",
        ),
        (
            h("", "<condition path='a' op='eq' value='1' value_path='b'/><action type='abort'/>"),
            Code::E0403,
            "b",
            "remove one",
        ),
        (
            h("", "<condition path='a' op='exists' type='json'/><action type='abort'/>"),
            Code::E0403,
            "type",
            "`value`",
        ),
        (
            h("", "<condition path='a' op='eq' value='1' type='int'/><action type='abort'/>"),
            Code::E0204,
            "int",
            "`json`",
        ),
        (
            h("", "<condition path='a' op='eq' value='1' ignore_case='1'/><action type='abort'/>"),
            Code::E0203,
            "1",
            "`true`",
        ),
        (
            h("", "<condition path='a' op='in' value='x'/><action type='abort'/>"),
            Code::E0402,
            "x",
            "type=\\\"json\\\"",
        ),
        (
            h("", "<condition path='a' op='in' type='json' value='[1, &quot;x]'/><action type='abort'/>"),
            Code::E0108,
            "&quot;",
            "",
        ),
        (
            h(
                "",
                "<condition path='a' op='eq' type='json' value='{\"a\":1,\"a\":2}'/><action type='abort'/>",
            ),
            Code::E0102,
            "\"a\"",
            "",
        ),
        (
            h("", "<condition path='a' op='eq' value='1e10001'/><action type='abort'/>"),
            Code::E0308,
            "1e10001",
            "",
        ),
        (
            h("", "<condition path='a' op='exists'><true/></condition><action type='abort'/>"),
            Code::E0208,
            "true",
            "`<all>`",
        ),
        (h("", "<condition path='a.' op='exists'/><action type='abort'/>"), Code::E0301, "", ""),
        (h("", "<action type='retry' max_attempts='many'/>"), Code::E0409, "many", "an integer"),
        (h("", "<action type='retry' max_attempts='1.5'/>"), Code::E0409, "1.5", "an integer"),
        (
            h("", "<action type='x'><param name='a' value='1'>2</param></action>"),
            Code::E0403,
            "2",
            "remove one",
        ),
        (h("", "<action type='x'><param name='a' val='1'/></action>"), Code::E0208, "val", "`value`"),
        (
            h("", "<action type='emit_event' event_type='e'><param name='payload'>{a: 1}</param></action>"),
            Code::E0108,
            "a",
            "",
        ),
        (h("", "<action type='x'><param>1</param></action>"), Code::E0202, "param", "`name`"),
        (h("", "<action type='x' a='1'><param name='a'>2</param></action>"), Code::E0102, "a", "remove one"),
        (
            h(
                "",
                "<action type='x'><param name='a'><param>1</param><param name='b'>2</param></param></action>",
            ),
            Code::E0203,
            "param",
            "for an object",
        ),
        (h("", "<action type='x'><param name='a'><b>1</b></param></action>"), Code::E0208, "b", ""),
        (
            h("", "<action type='x'><param name='a' type='json'><param>1</param></param></action>"),
            Code::E0203,
            "type",
            "remove",
        ),
        (
            h("", "<action type='x'><param name='a' xml:space='keep'>1</param></action>"),
            Code::E0204,
            "keep",
            "`preserve`",
        ),
        (h("", "<directive>a</directive><parameters/><inputs/>"), Code::E0102, "inputs", ""),
        (h("", "<action type='abort'/><example>{}</example>"), Code::E0202, "example", "matches"),
        (h("", "<action type='abort'/><example matches='true'>[]</example>"), Code::E0203, "[]", "an array"),
        (
            "<hook event='a,,b'><action type='abort'/></hook>".to_owned(),
            Code::E0203,
            "a,,b",
            "empty event name",
        ),
        ("<hook event='a, a'><action type='abort'/></hook>".to_owned(), Code::E0212, "a", "duplicate event"),
        ("<hok/>".to_owned(), Code::E0208, "hok", "did you mean `hook`?"),
    ] {
        let source = wrap(&hooks);
        let (policy, out) = read(&source);
        assert!(policy.hooks.is_empty(), "{hooks}");
        assert_eq!(out.len(), 1, "{hooks}\n{out:#?}");
        assert_eq!(out[0].code, code, "{hooks}\n{out:#?}");
        let written = &source[out[0].span().unwrap().range()];
        assert!(place.is_empty() || written == place, "{hooks}: {written}");
        assert!(format!("{:?}", out[0]).contains(words), "{hooks}\n{out:#?}");
    }
}

#[test]
fn a_leaf_without_op_is_eq() {
    let (policy, out) =
        read(&wrap("<hook event='e'><condition path='a' value='1'/><action type='abort'/></hook>"));
    assert_eq!((policy.hooks.len(), out[0].code, out.len()), (1, Code::W0211, 1));
}

#[test]
fn all_problems_in_source_order() {
    let source = wrap(
        "<hook event='a' mode='x' when='('><condition path='' op='no'/><action type='retry' max_attempts='z'/></hook>
         <hook evnt='b'><zap/></hook><hook event='ok'><action type='abort'/></hook>",
    );
    let (policy, out) = read(&source);
    assert_eq!(policy.hooks.len(), 1);
    let spans: Vec<_> = out.iter().map(|reported| reported.span().unwrap().start).collect();
    assert!(spans.is_sorted());
    let mut codes: Vec<_> = out.iter().map(|reported| reported.code).collect();
    codes.sort();
    let expected =
        [Code::E0204, Code::E0208, Code::E0208, Code::E0301, Code::E0302, Code::E0401, Code::E0409];
    assert_eq!(codes, expected, "{out:#?}");
}

#[test]
fn where_hooks_stand() {
    let hooks = "<hooks><hook event='e'><action type='abort'/></hook></hooks>";
    for (source, count) in [
        (format!("<directive>{hooks}</directive>"), 1),
        (format!("<directive><metadata><x/>{hooks}</metadata>{hooks}</directive>"), 2),
        (
            "<directive name='x'><process>a &lt; b</process><inputs><input name='a'/></inputs></directive>"
                .to_owned(),
            0,
        ),
        (format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- c -->\n<directive>{hooks}</directive>\n"), 1),
    ] {
        let (policy, out) = read(&source);
        assert!(out.is_empty(), "{out:#?}");
        assert_eq!(policy.hooks.len(), count);
    }
    for (source, code, words) in [
        (hooks.to_owned(), Code::E0208, "put it into"),
        (format!("<directve>{hooks}</directve>"), Code::E0208, "did you mean `directive`?"),
        (format!("<directive><process>{hooks}</process></directive>"), Code::E0208, "is not read"),
        ("<directive><hook event='e'/></directive>".to_owned(), Code::E0208, "is not read"),
        (
            "<directive><metadata><hoks><hook/></hoks></metadata></directive>".to_owned(),
            Code::E0208,
            "`hooks`?",
        ),
        ("# Title\n\nno fence\n".to_owned(), Code::E0113, "```xml"),
        ("<p>x</p>\n\n# Title\n".to_owned(), Code::E0111, "outside the root"),
        ("# T\n```xml\n<directive>\n".to_owned(), Code::E0111, "never closed"),
    ] {
        let (_, out) = read(&source);
        assert_eq!(out.len(), 1, "{source}\n{out:#?}");
        assert_eq!(out[0].code, code, "{source}");
        assert!(format!("{:?}", out[0]).contains(words), "{out:#?}");
    }
}

#[test]
fn spans_in_markdown() {
    for (source, code, place) in [
        (
            "# T\n\n> - ```xml\n>   <directive><hooks>\n>   <hook event='e'\n>     mode='shadw'><action type='abort'/></hook>\n>   </hooks></directive>\n>   ```\n",
            Code::E0204,
            "shadw",
        ),
        (
            "```xml\r\n<directive><hooks>\r\n<hook event='e' priority='&#x78;'><action type='abort'/></hook></hooks></directive>\r\n```",
            Code::E0203,
            "&#x78;",
        ),
        (
            "1. x\n\n   ~~~xml\n   <directive><hooks><hook event='e'><action type='abort'/><example matches='true'><![CDATA[\n   {\"a\":\n    tru}]]></example></hook></hooks></directive>\n   ~~~\n",
            Code::E0108,
            "tru",
        ),
        (
            "```xml\n<directive><hooks><hook event='e' when='a < 3'/></hooks></directive>\n```\n",
            Code::E0111,
            "<",
        ),
        (
            "> ```xml\n> <directive><hooks><hook event='e'><condition path='a' op='eq' type='json' value='{\"&quot;\": [1,\n>  tru]}'/><action type='abort'/></hook></hooks></directive>\n",
            Code::E0108,
            "",
        ),
        (
            "> ```xml\n> <directive><hooks><hook event='e' when='a &lt; &quot;x&quot; and\n>    b &lt; &quot;x'><action type='abort'/></hook></hooks></directive>\n",
            Code::E0302,
            "",
        ),
    ] {
        let (_, out) = read(source);
        assert_eq!(out.len(), 1, "{source}\n{out:#?}");
        assert_eq!(out[0].code, code, "{source}\n{out:#?}");
        let written = &source[out[0].span().unwrap().range()];
        assert!(place.is_empty() || written == place, "{source}: {written}");
    }
}

#[test]
fn fence_and_bare_are_equal() {
    let xml = wrap("<hook event='error' when='a lt 1'><directive>x</directive></hook>");
    let (bare, _) = read(&xml);
    let (fenced, out) = read(&format!("<!-- signed -->\n# T\n\n```xml\n{xml}\n```\n<process/>\n"));
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(bare, fenced);
    assert_eq!(bare.hooks.len(), 1);
}

#[test]
fn many_hooks_are_linear() {
    let one = "<hook event='error' when='a lt 1'><condition path='b' op='eq' value='x'/><directive>x</directive></hook>\n";
    let source = format!("# T\n\n> ```xml\n> {}", wrap(&one.repeat(20_000)).replace('\n', "\n> "));
    let (policy, out) = read(&source);
    assert!(out.is_empty());
    assert_eq!(policy.hooks.len(), 20_000);
    let wrong = wrap(&"<hook evnt='x'/>\n".repeat(20_000));
    assert_eq!(read(&wrong).1.reported(), 40_000);
}

fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "<hook event='e'>",
        "</hook>",
        "<hook ",
        "event='",
        "when=\"",
        "a eq 1",
        "'",
        "\"",
        ">",
        "/>",
        "<directive>",
        "</directive>",
        "<action type='retry' max_attempts='",
        "<param name='a'>",
        "<param>",
        "</param>",
        "<condition path='a' op='in' type='json' value='",
        "[1,{\"a\":",
        "]",
        "}",
        "<all>",
        "</all>",
        "<not>",
        "</not>",
        "&lt;",
        "&",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "\n> ",
        "\n",
        "```",
        "xml",
        "é",
        "${",
        "\u{1}",
        "<parameters>",
        "</parameters>",
        "<k>",
        "</k>",
        "<example matches='true'>",
        "</example>",
    ];
    let pieces: Vec<String> = pieces.iter().map(|piece| (*piece).to_owned()).collect();
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|all| all.concat())
}

fn harmless(source: &str) {
    let (_, out) = read(source);
    for label in out.iter().flat_map(|reported| &reported.labels) {
        assert!(source.get(label.span.range()).is_some(), "{source:?} {:?}", label.span);
    }
}

/// Found by `soup_is_read`: a span that ended inside a character.
#[test]
fn an_attribute_without_a_space_may_begin_with_any_character() {
    harmless("<action type='retry' max_attempts=''é");
}

proptest! {
    #[test]
    fn anything_is_read(source in any::<String>()) {
        harmless(&source);
    }

    #[test]
    fn soup_is_read(soup in soup(), quoted in any::<bool>()) {
        harmless(&soup);
        let wrapped = wrap(&soup);
        harmless(&wrapped);
        let prefix = if quoted { "> " } else { "" };
        harmless(&format!("{prefix}```xml\n{prefix}{}", wrapped.replace('\n', &format!("\n{prefix}"))));
    }
}
