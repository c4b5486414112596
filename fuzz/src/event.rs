//! Events: any bytes are decided or rejected, in agreement with serde_json except for what the
//! language itself rejects.

use std::sync::OnceLock;

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_vm::EventError;
use hookc_vm::format::event::{Level, Slots, Trie, TrieIndex};
use hookc_vm::limits::Limits;
use hookc_vm::{DecideError, DecideOptions, Decision, MatchedHook, Module, RenderError, Scratch};

const POLICY: &str = r#"
events: {t: {strategy: all}}
hooks:
  - {event: t, when: "a.b == 1 or a[-1].x contains 'y' or exists(a[0].x)", action: {type: fail, error_message: "${a}"}}
  - {event: t, when: "$.a[?@.x == $.b.c || search(@, $.s)].y > 1 or $..k matches {\"minItems\": 1}", action: {type: fail, error_message: "x"}}
  - {event: t, action: {type: emit_event, event_type: e, payload: {nodes: "${$.a[::-1, ?count(@..*) > 1]..*}", flags: "${shell($.a).commands[?@.flags.f].name}"}}}
  - {event: t, when: "shell(a).ok == false or some(c in shell(a).commands: c.name == 'rm' or $.b.c == c.sub) or shell($.b.c).commands[-1].args[0] == k", action: {type: fail, error_message: "seen: ${shell(a)}"}}
  - {event: t, when: "file(a).inside == true or file($.b.c).path starts_with '/x' or file(b).reason == 'nul' or file(a).name in ['.env', 'x']", action: {type: fail, error_message: "at ${file(a).relative} ${file(s)}"}}
  - {event: [t, error, limit], when: "error.code =~ 'x+' or limit_code in [1, 'x', null]", action: {type: continue}}
"#;

#[allow(clippy::expect_used, reason = "a policy of this file")]
fn module() -> &'static Module {
    static MODULE: OnceLock<Module> = OnceLock::new();
    MODULE.get_or_init(|| {
        let mut sources = Sources::new();
        let source = sources.add("policy", POLICY);
        let input = Input::new(source).with_dialect(Dialect::HooksYaml);
        let compiled = compile(&mut sources, &[input], &Options::default());
        Module::load(compiled.module.expect("it compiles")).expect("it loads")
    })
}

#[allow(clippy::expect_used, reason = "a module that was loaded")]
fn trie() -> Trie<'static> {
    module().tables().expect("it was loaded").trie()
}

/// The error, or the values of all slots, as a scanner reads them.
fn read(level: Level, bytes: &[u8]) -> Result<String, EventError> {
    let limits = Limits::default();
    let trie = trie();
    let mut slots = Slots::default();
    slots.read_with(level);
    slots.read(bytes, &trie, &TrieIndex::new(&trie), &limits)?;
    Ok((0..trie.slots).map(|slot| format!("{:?}", slots.get(slot, bytes, &trie))).collect())
}

/// What hooks decide and render.
fn shown(decision: &Decision<'_>) -> Vec<(u32, Result<String, RenderError>)> {
    let rendered = |hook: MatchedHook<'_>| {
        let mut action = String::new();
        let done = hook.render(&mut action);
        (hook.rank(), done.map(|()| action))
    };
    decision.hooks().chain(decision.reported()).map(rendered).collect()
}

/// A parsed event is decided about as its text is.
fn both_forms(value: &serde_json::Value) {
    let ask = DecideOptions::default().event("t");
    let (text, mut scratch) = (value.to_string(), Scratch::new());
    let Ok(of_text) = module().decide(&mut scratch, text.as_bytes(), &ask).map(|decision| shown(&decision))
    else {
        return;
    };
    // With the same buffers, which have seen the text.
    let of_value = module().decide_value(&mut scratch, value, &ask).map(|decision| shown(&decision));
    assert!(of_value.as_ref() == Ok(&of_text), "{of_text:?} of the text, {of_value:?} of the value");
}

/// An event.
pub fn event(bytes: &[u8]) {
    let levels = || ["portable", "avx2", "avx512"].into_iter().filter_map(Level::named);
    let mut readings = levels().map(|level| read(level, bytes));
    if let Some(portable) = readings.next() {
        assert!(readings.all(|reading| reading == portable), "the scanners differ");
    }
    let mut scratch = Scratch::new();
    let ask = DecideOptions::default().event("t");
    let ours = module().decide(&mut scratch, bytes, &ask);
    let theirs = serde_json::from_slice::<serde_json::Value>(bytes);
    if let Ok(value) = &theirs {
        both_forms(value);
    }
    match ours {
        Ok(decision) => {
            // A `Value` has no numbers beyond the range of floats.
            let range = |error: serde_json::Error| error.to_string().contains("number out of range");
            assert!(theirs.err().is_none_or(range), "serde_json refuses it");
            for fired in decision.hooks() {
                let _ = fired.render(&mut String::new());
            }
        }
        Err(DecideError::Event(EventError::Syntax(..) | EventError::Utf8(_) | EventError::Surrogate(_))) => {
            assert!(theirs.is_err(), "serde_json takes it");
        }
        // Exponents, depth, size, duplicates, no object: the language's own.
        Err(_) => {}
    }
}
