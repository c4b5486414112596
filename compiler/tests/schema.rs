//! Schemas of `matches`: the graph, sharing, conversion to other operators, errors.

use hookc_compiler::plan::{self, Plan};
use hookc_compiler::{Compiled, Dialect, Input, Options, compile, disasm};
use hookc_schema::{Code, Sources};
use hookc_vm::Module;

fn compiled(schemas: &[String]) -> Compiled {
    let leaf = |schema: &String| {
        format!(
            "  - {{event: t, condition: {{path: v, op: matches, value: {schema}}}, action: {{type: continue}}}}\n"
        )
    };
    let text = format!("hooks:\n{}", schemas.iter().map(leaf).collect::<String>());
    let mut sources = Sources::new();
    let source = sources.add("policy.yaml", text);
    let inputs = [Input::new(source).with_dialect(Dialect::HooksYaml)];
    compile(&mut sources, &inputs, &Options::default())
}

fn plan_of(schemas: &[&str]) -> Plan {
    let compiled = compiled(&schemas.iter().map(|schema| (*schema).to_owned()).collect::<Vec<_>>());
    assert!(!compiled.failed(), "{:?}", compiled.diagnostics);
    compiled.plan.unwrap()
}

fn codes(schema: &str) -> Vec<Code> {
    compiled(&[schema.to_owned()]).diagnostics.iter().map(|d| d.code).filter(|c| *c != Code::W0415).collect()
}

fn preds(plan: &Plan) -> Vec<String> {
    let text = plan::print(plan);
    let rows = text.lines().skip_while(|line| *line != "predicates").skip(1);
    rows.take_while(|line| line.starts_with("  p")).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn equal_schemas_are_one() {
    let plan = plan_of(&[
        "{type: object, properties: {a: {type: string}, b: {type: string}}}",
        "{properties: {b: {type: string}, a: {$ref: '#/$defs/s'}}, type: [object], $defs: {s: {type: string}}}",
        "{allOf: [{type: object, title: x, properties: {a: {type: string}, b: {type: string}}}]}",
    ]);
    assert_eq!((plan.schemas.len(), plan.preds.len()), (2, 1), "{}", plan::print(&plan));
    let tree = "{$ref: '#/$defs/n', $defs: {n: {required: [x], items: {$ref: '#/$defs/n'}, minItems: 1}}}";
    let plan = plan_of(&[tree, tree, "{minItems: 1, items: {$ref: '#'}, required: [x]}", "{minItems: 1}"]);
    assert_eq!((plan.schemas.len(), plan.preds.len()), (2, 2), "{}", plan::print(&plan));
}

#[test]
fn simple_schemas_become_other_predicates() {
    let plan = plan_of(&[
        "{const: 1.0}",
        "{enum: [b, a, 1]}",
        "{type: number, minimum: 2}",
        "{type: [integer, number], exclusiveMaximum: 5e0}",
        "{$ref: '#/$defs/x', $defs: {x: {const: {k: [1]}}}}",
        "{type: boolean}",
        "{type: [integer, 'null'], enum: [1, 1.5, 2.0, x]}",
        "{type: number, maximum: 3}",
        "{type: number, exclusiveMinimum: 4}",
        "false",
    ]);
    let rows = [
        "p0 = v == 1",
        "p1 = v in [1, \"a\", \"b\"]",
        "p2 = v >= 2",
        "p3 = v < 5",
        "p4 = v == {\"k\":[1]}",
        "p5 = v in [false, true]",
        "p6 = v in [1, 2]",
        "p7 = v <= 3",
        "p8 = v > 4",
        "p9 = v in []",
    ];
    assert_eq!(preds(&plan), rows);
    let others = [
        // Absent equals null.
        "{const: null}",
        "{enum: [1, null]}",
        "{anyOf: [{const: 1}, {const: null}]}",
        // 1.5 is a number too, and other types have no bounds.
        "{type: integer, minimum: 2}",
        "{minimum: 2}",
        "{type: number}",
        // No operator separates these from others.
        "true",
        "{type: string, pattern: a}",
        "{type: number, not: {const: 1}}",
        // A member that need not be there, or need only be there.
        "{type: object, properties: {a: {const: 1}}}",
        "{type: object, required: [a, b], properties: {a: {const: 1}}}",
        "{required: [a], properties: {a: {const: 1}}}",
    ];
    let plan = plan_of(&others);
    let rows = preds(&plan);
    assert!(rows.iter().all(|row| row.contains(" matches m")) && rows.len() == others.len(), "{rows:?}");
}

#[test]
fn schemas_of_several_rules_become_conditions() {
    let several = "{type: object, required: [a, b], properties: {\
                     a: {const: 1}, b: {type: number, minimum: 2, exclusiveMaximum: 5}}, \
                   anyOf: [{const: {a: 1, b: 3}}, {type: object, required: [c], properties: {c: {enum: [x, y]}}}]}";
    let plan = plan_of(&[several]);
    let rows = ["p0 = v.a == 1", "p1 = v.b >= 2", "p2 = v.b < 5", "p3 = v == {\"a\":1,\"b\":3}"];
    assert_eq!(preds(&plan)[..4], rows);
    assert_eq!(preds(&plan)[4..], ["p4 = v.c in [\"x\", \"y\"]"]);
    let text = plan::print(&plan);
    assert!(text.contains("  c7 = any(c5, c6)\n  c8 = all(c0, c1, c2, c7)\n"), "{text}");
    let text = plan::print(&plan_of(&["{allOf: [{type: number, minimum: 1}, {type: number, maximum: 3}]}"]));
    assert!(text.contains("  c2 = all(c0, c1)\n"), "{text}");
    // The subtree stays used whole.
    assert!(plan.schemas.is_empty() && plan.events[0].whole.len() == 1, "{}", plan::print(&plan));
    let mut twice = "{const: 1}".to_owned();
    for _ in 0..20 {
        twice = format!("{{allOf: [{twice}, {twice}]}}");
        if twice.len() > 4000 {
            break;
        }
    }
    assert_eq!(plan_of(&[&twice]).schemas.len(), 9, "too many parts stay a schema");
}

/// About the nodes of a query too, if one predicate is enough.
#[test]
fn simple_schemas_of_nodes_become_other_predicates() {
    for (schema, simple) in [
        ("{const: 1}", true),
        ("{allOf: [{type: number, minimum: 1}]}", true),
        ("{anyOf: [{enum: [a, b]}]}", true),
        ("{type: number, minimum: 1, maximum: 3}", false),
    ] {
        let text = format!(
            "hooks:\n  - {{event: t, condition: {{path: '$.v[*]', op: matches, value: {schema}}}, \
             action: {{type: continue}}}}\n"
        );
        let mut sources = Sources::new();
        let source = sources.add("policy.yaml", text);
        let inputs = [Input::new(source).with_dialect(Dialect::HooksYaml)];
        let plan = compile(&mut sources, &inputs, &Options::default()).plan.unwrap();
        assert_eq!(plan.schemas.is_empty(), simple, "{schema}\n{}", plan::print(&plan));
    }
}

#[test]
fn a_dynamic_reference_is_settled_by_its_way() {
    let plan = plan_of(&["{$id: 'http://e/a', anyOf: [{$ref: l}, {$ref: m}], $defs: {\
        l: {$id: l, $ref: g, $defs: {i: {$dynamicAnchor: i, const: 1}}}, \
        m: {$id: m, $ref: g, $defs: {i: {$dynamicAnchor: i, const: 2}}}, \
        g: {$id: g, items: {$dynamicRef: '#i'}, $defs: {i: {$dynamicAnchor: i}}}}}"]);
    // Two lists, their two elements, the whole.
    assert_eq!(plan.schemas.len(), 5, "{}", plan::print(&plan));
}

#[test]
fn the_listing_names_keywords() {
    let schema = "{type: [string, 'null'], minLength: 2, pattern: '^a\\.b$', not: {contains: {const: 1}}, \
                  properties: {k: true}, if: {required: [k]}, then: false}";
    let module = Module::load(compiled(&[schema.to_owned()]).module.unwrap()).unwrap();
    let listing = disasm::print(&module.tables().unwrap());
    for line in [
        "    type: null|string",
        "    minLength: 2",
        "    not: m",
        "    properties: {\"k\": m",
        "    contains: m",
    ] {
        assert!(listing.contains(line), "{line}\n{listing}");
    }
    assert!(
        listing.contains("matches s3 m") && listing.contains("; v matches {type: null|string"),
        "{listing}"
    );
}

#[test]
fn rejected_input() {
    use Code::{E0103, E0308, E0402, E0404, E0419, E0420, E0421, W0114, W0601};
    for (schema, code) in [
        ("[]", E0402),
        ("{minimum: 1e20000}", E0308),
        ("{$recursiveRef: '#'}", E0419),
        ("{$vocabulary: {}}", E0419),
        ("{x-own: 1}", E0419),
        ("{$ref: 1}", E0420),
        ("{$ref: other}", E0421),
        ("{$ref: '#'}", E0421),
        ("{allOf: [{$ref: '#'}]}", E0421),
        ("{$ref: '#/examples/0', examples: [{}]}", E0421),
        ("{if: true, then: {dependentSchemas: {a: {not: {$ref: '#'}}}}}", E0421),
        ("{$id: 'a#b'}", E0420),
        ("{$defs: {a: {$id: x}, b: {$id: x}}}", E0420),
        ("{$defs: {a: {$anchor: x}, b: {$anchor: x}}}", E0420),
        ("{type: []}", E0420),
        ("{minLength: 1.5}", E0420),
        ("{maximum: '1'}", E0420),
        ("{format: 1}", E0420),
        ("{multipleOf: 11111111111111111111111111111111111111}", E0420),
        ("{dependentRequired: {a: b}}", E0420),
        ("{dependentRequired: [a]}", E0420),
        ("{required: [1]}", E0420),
        ("{properties: []}", E0420),
        ("{uniqueItems: 1}", E0420),
        ("{not: null}", E0420),
        ("{anyOf: {}}", E0420),
        ("{pattern: '(?<=a)b'}", E0404),
        ("{pattern: '\\p{Nothing}'}", E0404),
        ("{pattern: '(a{1000}){1000}'}", E0404),
        ("false", W0601),
        ("{$ref: '#/$defs/f', $defs: {f: false}}", W0601),
        ("{enum: []}", W0601),
    ] {
        assert_eq!(codes(schema), [code], "{schema}");
    }
    let deep = format!("{}{{}}{}", "{not: ".repeat(200), "}".repeat(200));
    assert_eq!(codes(&deep), [E0103], "a source's nesting is bounded");
    for good in [
        "{properties: {a: {$ref: '#'}}, items: {$ref: '#'}, contains: {$ref: '#'}}",
        "{propertyNames: {$ref: '#'}, unevaluatedProperties: {$ref: '#'}}",
        "{then: false, minContains: 3, contentSchema: {no: 1}, default: {$ref: 7}}",
        "{format: anything, minLength: 1e30, maxItems: 2.0}",
        "{const: {$ref: nowhere}, enum: [{$ref: nowhere}, {x: 1}]}",
    ] {
        assert!(codes(good).iter().all(|code| matches!(*code, W0601 | W0114)), "{good}: {:?}", codes(good));
    }
}

/// A reference leads to a reference leads to a reference: no recursion.
#[test]
fn long_ways_are_short() {
    let links: String = (0..20_000).map(|n| format!("a{n}: {{$ref: '#/$defs/a{}'}}, ", n + 1)).collect();
    let chain = format!("{{$ref: '#/$defs/a0', $defs: {{{links} a20000: {{minLength: 1}}}}}}");
    assert_eq!(plan_of(&[&chain]).schemas.len(), 1);
    let links: String =
        (0..300).map(|n| format!("a{n}: {{maxLength: {n}, $ref: '#/$defs/a{}'}}, ", n + 1)).collect();
    let chain = format!("{{$ref: '#/$defs/a0', $defs: {{{links} a300: {{minLength: 1}}}}}}");
    assert_eq!(codes(&chain), [Code::E0703]);
}

#[test]
fn large_schemas_take_time_by_their_size() {
    if hookc_corpus::left_to_full_run("large schemas") {
        return;
    }
    let words: String = (0..100_000).map(|n| format!("e{n}, ")).collect();
    let plan = plan_of(&[&format!("{{enum: [{words}]}}"), &format!("{{minLength: 2, enum: [{words}]}}")]);
    assert_eq!((plan.preds.len(), plan.schemas.len()), (2, 1));
    let defs: String = (0..20_000).map(|n| format!("d{n}: {{maxLength: {n}}}, ")).collect();
    let uses: String = (0..20_000).map(|n| format!("p{n}: {{$ref: '#/$defs/d{n}'}}, ")).collect();
    let plan = plan_of(&[&format!("{{properties: {{{uses}}}, $defs: {{{defs}}}}}")]);
    assert_eq!(plan.schemas.len(), 20_001);
}

/// Each of the resources is passed or not, which would be 2^150 scopes.
#[test]
fn scopes_are_bounded() {
    let resources: String = (0..300)
        .map(|n| {
            let (next, other) = (n + 1, (n + 2).min(300));
            format!(
                "r{n}: {{$id: r{n}, $dynamicAnchor: a{n}, properties: {{x: {{$ref: r{next}}}, y: {{$ref: r{other}}}}}}}, "
            )
        })
        .collect();
    let anchors: String = (0..300).map(|n| format!("d{n}: {{$dynamicAnchor: a{n}}}, ")).collect();
    let uses: String = (0..300).map(|n| format!("z{n}: {{$dynamicRef: '#a{n}'}}, ")).collect();
    let last = format!("r300: {{$id: r300, properties: {{{uses}}}, $defs: {{{anchors}}}}}");
    let schema = format!("{{$id: 'http://e/', $ref: r0, $defs: {{{resources}{last}}}}}");
    assert_eq!(codes(&schema), [Code::E0703]);
}
