//! Schemas of `matches`: the graph, what is shared, what becomes another
//! operator, what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

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
    let inputs = [Input { source, dialect: Some(Dialect::HooksYaml), layer: None }];
    compile(&mut sources, &inputs, &Options { builtin: false, ..Options::default() })
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
        // Not these: absent is null to others, and 1.5 is a number too.
        "{const: null}",
        "{enum: [1, null]}",
        "{type: integer, minimum: 2}",
        "{minimum: 2}",
        "true",
    ]);
    let rows = preds(&plan);
    assert_eq!(
        rows[..5],
        ["p0 = v == 1", "p1 = v in [1, \"a\", \"b\"]", "p2 = v >= 2", "p3 = v < 5", "p4 = v == {\"k\":[1]}",]
    );
    assert!(rows[5..].iter().all(|row| row.contains(" matches m")) && rows.len() == 10, "{rows:?}");
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
    let listing = disasm::print(&module.tables());
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
fn what_is_refused() {
    use Code::{E0103, E0308, E0402, E0404, E0419, E0420, E0421, W0601};
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
        assert!(codes(good).iter().all(|code| *code == W0601), "{good}: {:?}", codes(good));
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
