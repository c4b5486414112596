//! Modules: any bytes load or are refused; what loads decides about any event
//! without panicking. The hash is made right, so that the verifier is reached.

use hookc_vm::module::Image;
use hookc_vm::{Ask, Module, Scratch, Strategy};

/// Events that reach many paths.
const EVENTS: &[&str] = &[
    r#"{"event":{"type":"error"},"error":{"code":"x","message":"y"},"classification":{"category":"rate_limited"}}"#,
    r#"{"event":{"type":"limit","limit_code":"spend_exceeded"},"cost":{"spend":12.5}}"#,
    r#"{"event_type":"t","a":[1,{"k":null},"abc"],"b":{"c":1e21}}"#,
    r#"{"event_type":"t","a":"abc"}"#,
];

/// A module file.
pub fn module(bytes: &[u8]) {
    let _ = Module::load(bytes.to_vec());
    let Ok(module) = Module::load(Image::rehash(bytes)) else { return };
    let mut scratch = Scratch::new();
    for event in EVENTS {
        for strategy in [None, Some(Strategy::All)] {
            let ask = Ask { strategy, ..Ask::default() };
            let Ok(decision) = module.decide(&mut scratch, event.as_bytes(), &ask) else { continue };
            for fired in decision.hooks().chain(decision.reported()) {
                let _ = fired.render(&mut String::new());
            }
        }
        let _ = module.trace(&mut scratch, event.as_bytes(), &Ask::default());
    }
    let _ = hookc_compiler::disasm::print(&module.tables());
}
