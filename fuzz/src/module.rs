//! Modules: any bytes load or are rejected; a loaded module decides about any event without
//! panicking. The hash is corrected, so that the verifier is reached.

use hookc_history::{Limits, Partition, Secret};
use hookc_vm::trace::Verdict;
use hookc_vm::{DecideError, DecideOptions, Histories, Module, PartitionTag, Scratch, Strategy};

/// Events that reach many paths.
const EVENTS: &[&str] = &[
    r#"{"event":{"type":"error"},"error":{"code":"x","message":"y"},"classification":{"category":"rate_limited"}}"#,
    r#"{"event":{"type":"limit","limit_code":"spend_exceeded"},"cost":{"spend":12.5}}"#,
    r#"{"event_type":"t","a":[1,{"k":null},"abc"],"b":{"c":1e21}}"#,
    r#"{"event_type":"t","a":"abc"}"#,
    r#"{"event_type":"t","items":[{"name":"a"},{"name":[1,{"k":2}]},{"x":null}],"other":"a"}"#,
    r#"{"event_type":"t","a":[{"s":"ab","n":1e0,"l":[[2]]},7],"like":1,"pattern":"a.","m":{"b":3}}"#,
];

/// Events of a session.
const SESSION: &[&str] = &[
    r#"{"event_type":"UserPromptSubmit","prompt":"go"}"#,
    r#"{"event_type":"PreToolUse","tool_name":"Bash","cwd":"/p","tool_input":{"command":"cargo test"}}"#,
    r#"{"event_type":"PostToolUse","tool_name":"Bash","cwd":"/p","tool_input":{"command":"cargo test"},"tool_response":{}}"#,
    r#"{"event_type":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/p/a","amount":1.5},"tool_response":{}}"#,
    r#"{"event_type":"Stop"}"#,
];

/// A module file.
pub fn module(bytes: &[u8]) {
    let _ = Module::load(bytes.to_vec());
    let bytes = rehashed(bytes);
    let Ok(module) = Module::load(bytes.clone()) else { return opened(bytes) };
    same_when_opened(&module, bytes);
    let mut scratch = Scratch::new();
    for event in EVENTS {
        for strategy in [None, Some(Strategy::All)] {
            let ask = DecideOptions::default().strategy(strategy);
            let Ok(decision) = module.decide(&mut scratch, event.as_bytes(), &ask) else { continue };
            for fired in decision.hooks().chain(decision.reported()) {
                let _ = fired.render(&mut String::new());
            }
        }
        let trace = module.trace(&mut scratch, event.as_bytes(), &DecideOptions::default());
        let Ok(mut probe) = module.probe(&mut scratch, event.as_bytes(), &DecideOptions::default()) else {
            continue;
        };
        for hook in trace.iter().flat_map(|trace| trace.hooks()) {
            assert_eq!(
                probe.holds(hook.rank),
                Ok(hook.verdict != Verdict::NoMatch),
                "probe and trace differ"
            );
        }
    }
    if module.has_history() {
        remembered(&module);
    }
    let _ = module.tables().map(|tables| hookc_compiler::disasm::print(&tables));
}

/// A module with conditions about earlier events decides about a session, and its history can be read again.
#[allow(clippy::expect_used, reason = "a body panics")]
fn remembered(module: &Module) {
    let (secret, mut session) = (Secret::new([7; 32]), Partition::new(Limits::default()));
    let mut scratch = Scratch::new();
    for (at, event) in (0..).zip(EVENTS.iter().chain(SESSION).chain(SESSION)) {
        let mut histories = Histories::new(&secret);
        for key in PartitionTag::ALL {
            histories = histories.with(*key, &session, at);
        }
        let options = DecideOptions::default().history(&histories);
        let Ok(decision) = module.decide(&mut scratch, event.as_bytes(), &options) else { continue };
        let records: Vec<_> = PartitionTag::ALL.iter().filter_map(|key| decision.record(*key)).collect();
        for record in records {
            session.apply(record);
        }
    }
    let bytes = session.encode();
    assert!(Partition::decode(&bytes, Limits::default()).is_ok(), "its history cannot be read");
}

/// A decision as JSON, or its error.
fn shown(module: &Module, event: &str, ask: &DecideOptions<'_>) -> Result<String, DecideError> {
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, event.as_bytes(), ask)?;
    let mut json = String::new();
    decision.write_json(&mut json);
    Ok(json)
}

/// The options for each event type of a module.
fn of_types(module: &Module) -> impl Iterator<Item = DecideOptions<'_>> {
    module.events().map(|kind| DecideOptions::default().event(kind.name).family(kind.family))
}

#[allow(clippy::expect_used, reason = "a body panics")]
/// A module that loads decides in the same way if it is opened.
fn same_when_opened(loaded: &Module, bytes: Vec<u8>) {
    let opened = Module::open(bytes).expect("a module that loads can be opened");
    for ask in of_types(loaded) {
        for event in EVENTS {
            assert_eq!(shown(&opened, event, &ask), shown(loaded, event, &ask), "{ask:?} {event}");
        }
    }
    assert_eq!(opened.verify(), Ok(()));
}

/// A module that does not load is rejected when it is opened, or decides within bounds, and never shows its
/// tables.
fn opened(bytes: Vec<u8>) {
    let Ok(module) = Module::open(bytes) else { return };
    for ask in of_types(&module) {
        for event in EVENTS {
            let _ = shown(&module, event, &ask);
        }
    }
    assert!(module.verify().is_err(), "what does not load does not become valid");
    assert!(module.tables().is_err());
}

/// The bytes with a corrected length and hash in their header.
#[must_use]
pub fn rehashed(bytes: &[u8]) -> Vec<u8> {
    const LENGTH: std::ops::Range<usize> = 16..20;
    const HASH: std::ops::Range<usize> = 32..64;
    let mut bytes = bytes.to_vec();
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
    if let Some(place) = bytes.get_mut(LENGTH) {
        place.copy_from_slice(&length);
    }
    if let Some(place) = bytes.get_mut(HASH) {
        place.fill(0);
    }
    let hash = *blake3::hash(&bytes).as_bytes();
    if let Some(place) = bytes.get_mut(HASH) {
        place.copy_from_slice(&hash);
    }
    bytes
}
