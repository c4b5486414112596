//! A source with very many problems: a limited number of each code is kept, the others are counted, and an
//! error is never hidden.

use hookc_compiler::{Compiled, Dialect, Input, Options, compile};
use hookc_schema::agents::Id;
use hookc_schema::limits::DIAGNOSTICS;
use hookc_schema::{Code, Diagnostic, Severity, Sources};

fn compiled(sources: &[(&str, Dialect, String)], strict: bool) -> Compiled {
    let mut all = Sources::new();
    let inputs: Vec<Input> = sources
        .iter()
        .map(|(name, dialect, text)| Input::new(all.add(*name, text.as_str())).with_dialect(*dialect))
        .collect();
    compile(&mut all, &inputs, &Options::default().strict(strict))
}

fn count(compiled: &Compiled, code: Code) -> usize {
    compiled.diagnostics.iter().filter(|one| one.code == code).count()
}

/// The messages of W0648 with their severities.
fn left_out(compiled: &Compiled) -> Vec<(Severity, String, Vec<String>)> {
    let all = compiled.diagnostics.iter().filter(|one| one.code == Code::W0648);
    all.map(|one| (one.severity, one.message.clone(), one.notes.clone())).collect()
}

/// A text with a problem for each of `n` units, and the code of these problems.
type Shape = (&'static str, Dialect, Code, fn(usize) -> String);

/// For every notation and dialect: a text with so many problems of one code.
const SHAPES: &[Shape] = &[
    ("hooks.yaml", Dialect::HooksYaml, Code::E0202, |n| format!("hooks:\n{}", "- {event: Stop}\n".repeat(n))),
    ("keys.yaml", Dialect::HooksYaml, Code::E0201, |n| {
        let keys: String = (0..n).map(|at| format!(", zz{at}: 1")).collect();
        format!("hooks: [{{event: Stop, action: {{type: continue}}{keys}}}]\n")
    }),
    ("notation.yaml", Dialect::HooksYaml, Code::E0102, |n| format!("hooks: []\n{}", "hooks: []\n".repeat(n))),
    ("directive.xml", Dialect::DirectiveXml, Code::E0202, |n| {
        format!("<directive name='d'><hooks>{}</hooks></directive>", "<hook event='error'/>".repeat(n))
    }),
    ("settings.json", Dialect::Settings, Code::W0245, |n| {
        let events: String = (0..n).map(|at| format!("\"qq{at}\": [],")).collect();
        format!("{{\"hooks\": {{{events} \"Stop\": []}}}}")
    }),
    ("hook.yaml", Dialect::Repository, Code::E0201, |n| {
        let keys: String = (0..n).map(|at| format!("zz{at}: 1\n")).collect();
        format!(
            "id: a\nevent_type: SessionStop\nhandler: {{kind: script, command: ./scripts/hooks/a.sh}}\n{keys}"
        )
    }),
    ("SKILL.md", Dialect::Skill, Code::E0204, |n| {
        let hooks = "{type: zz},".repeat(n);
        format!("---\nname: s\ndescription: d\nhooks: {{Stop: [{{hooks: [{hooks}]}}]}}\n---\n\n# S\n")
    }),
    ("workflow.yaml", Dialect::Workflow, Code::E0202, |n| {
        format!("id: w\nhooks: {{pre_decision: [{}]}}\n", "{inject_as: x},".repeat(n))
    }),
    ("hooks.json", Dialect::Agent(Id::Gemini), Code::E0204, |n| {
        let hooks = vec!["{\"type\": \"zz\"}"; n].join(",");
        format!("{{\"hooks\": {{\"BeforeTool\": [{{\"hooks\": [{hooks}]}}]}}}}")
    }),
    // The checker, and the lints.
    ("check.yaml", Dialect::HooksYaml, Code::E0406, |n| {
        format!("hooks:\n{}", "- {event: Stop, action: {type: denny}}\n".repeat(n))
    }),
    ("lint.yaml", Dialect::HooksYaml, Code::W0607, |n| {
        format!("hooks:\n{}", "- {event: Stop, action: {type: continue}}\n".repeat(n))
    }),
];

#[test]
fn the_limit_is_exact_in_every_dialect() {
    let mut wrong = Vec::new();
    for (name, dialect, code, shape) in SHAPES {
        let of = |n: usize| compiled(&[(name, *dialect, shape(n))], false);
        // How many units give how many problems is not the same everywhere.
        let extra =
            DIAGNOSTICS as isize - count(&of(DIAGNOSTICS / 2), *code) as isize - (DIAGNOSTICS / 2) as isize;
        if extra.unsigned_abs() > 2 {
            wrong.push(format!("{name}: {code}: {extra} {:?}", of(1).diagnostics));
            continue;
        }
        let at = |problems: usize| of(problems.saturating_add_signed(extra));
        let (under, over) = (at(DIAGNOSTICS), at(DIAGNOSTICS + 1));
        let own = |all: &Compiled| {
            let notes = left_out(all).into_iter().flat_map(|(_, _, notes)| notes);
            notes.filter(|note| note.contains(&format!(" of {code}:"))).collect::<Vec<_>>()
        };
        if (count(&under, *code), own(&under)) != (DIAGNOSTICS, Vec::new()) {
            wrong.push(format!("{name}: {} {:?}", count(&under, *code), left_out(&under)));
        }
        let note = format!("1 of {code}: {}", code.title());
        if (count(&over, *code), own(&over)) != (DIAGNOSTICS, vec![note]) {
            wrong.push(format!("{name}: {} {:?}", count(&over, *code), left_out(&over)));
        }
        // It is the last one of its source, and as severe as what is left out.
        let last = over.diagnostics.last().unwrap();
        let worst = over.diagnostics.iter().map(|one| one.severity).max();
        if last.code != Code::W0648 || code.severity() == Severity::Error && Some(last.severity) != worst {
            wrong.push(format!("{name}: {last:?}"));
        }
        assert_eq!(over.module.is_none(), over.failed(), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Thousands of warnings before one error, and errors of one kind before another.
#[test]
fn no_flood_hides_an_error() {
    let warned = "- {event: Stop, action: {type: continue}}\n".repeat(DIAGNOSTICS * 2);
    let wrong = "- {event: Stop, action: {type: denny}}\n";
    let text = format!("hooks:\n{warned}{wrong}");
    let all = compiled(&[("hooks.yaml", Dialect::HooksYaml, text)], false);
    assert_eq!((count(&all, Code::W0607), count(&all, Code::E0406)), (DIAGNOSTICS, 1));
    assert!(all.failed() && all.module.is_none());
    assert_eq!(left_out(&all)[0].0, Severity::Warning, "only warnings are left out");
    let text =
        format!("hooks:\n{}- {{event: Stop, when: 'a ==', action: {{type: deny}}}}\n", wrong.repeat(3_000));
    let all = compiled(&[("hooks.yaml", Dialect::HooksYaml, text)], false);
    assert_eq!((count(&all, Code::E0406), left_out(&all)[0].0), (DIAGNOSTICS, Severity::Error));
    let other = |one: &&Diagnostic| one.is_error() && ![Code::E0406, Code::W0648].contains(&one.code);
    assert_eq!(all.diagnostics.iter().filter(other).count(), 1);
}

/// What only `--strict` makes an error is an error although most of it is left out.
#[test]
fn strict_errors_are_errors_beyond_the_limit() {
    let hook = "- {event: nobody_sends_this, action: {type: continue}}\n";
    let text = format!("hooks:\n{}", hook.repeat(DIAGNOSTICS + 7));
    let all = |strict| compiled(&[("hooks.yaml", Dialect::HooksYaml, text.clone())], strict);
    let (lenient, strict) = (all(false), all(true));
    assert!(!lenient.failed() && strict.failed() && strict.module.is_none());
    let severities = [&lenient, &strict].map(|all| left_out(all).iter().map(|one| one.0).max());
    assert_eq!(severities, [Some(Severity::Warning), Some(Severity::Error)]);
}

/// Each source has a number of its own, and its own summary.
#[test]
fn sources_are_counted_by_themselves() {
    let text = |n| format!("hooks:\n{}", "- {event: Stop}\n".repeat(n));
    let sources = [
        ("a.yaml", Dialect::HooksYaml, text(DIAGNOSTICS + 2)),
        ("b.yaml", Dialect::HooksYaml, text(DIAGNOSTICS)),
        ("c.yaml", Dialect::HooksYaml, text(DIAGNOSTICS + 3)),
    ];
    let all = compiled(&sources, false);
    assert_eq!(count(&all, Code::E0202), 3 * DIAGNOSTICS);
    let messages: Vec<String> = left_out(&all).into_iter().map(|(_, message, _)| message).collect();
    assert_eq!(messages, ["2 more diagnostics are omitted", "3 more diagnostics are omitted"]);
}

/// What the diagnostics of a large source take. Before they were limited, a megabyte of empty elements took 340
/// times its size.
#[test]
fn a_flood_takes_little_memory() {
    if hookc_corpus::left_to_full_run("a flood of diagnostics") {
        return;
    }
    for (name, dialect, text) in [
        ("directive.xml", Dialect::DirectiveXml, {
            format!("<directive name='d'><hooks>{}</hooks></directive>", "<hook/>".repeat(40_000))
        }),
        ("hooks.yaml", Dialect::HooksYaml, format!("hooks:\n{}", "  - {}\n".repeat(40_000))),
        ("keys.yaml", Dialect::HooksYaml, "a: 1\n".repeat(56_000)),
    ] {
        let size = text.len() as u64;
        drop(compiled(&[(name, dialect, text.clone())], false));
        let info = allocation_counter::measure(|| {
            let all = compiled(&[(name, dialect, text)], false);
            assert!(all.failed() && left_out(&all).len() == 1 && all.diagnostics.len() < 5 * DIAGNOSTICS);
        });
        assert!(info.bytes_max < 100 * size, "{name}: {} times its size", info.bytes_max / size);
    }
}
