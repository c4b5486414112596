//! The functions of the WebAssembly modules: any addresses, lengths and handles, and any bytes as
//! modules, events, options and requests. A call that fails gives a failure as JSON, and one that works
//! what it promises.

use hookc_wasm::exports;
use serde_json::Value;

use crate::POLICY;
use crate::calls::Bytes;

/// Calls of the WebAssembly modules.
pub fn wasm(bytes: &[u8]) {
    let request = serde_json::json!({"sources": [{"name": "policy.yaml", "text": POLICY}]}).to_string();
    let (handle, _) = with(request.as_bytes(), |at, length| exports::compile(at, length));
    assert!(handle > 0, "it compiles");
    let handle = handle.unsigned_abs();
    with(bytes, |at, length| exports::load(at, length));
    with(bytes, |at, length| exports::compile(at, length));
    let mut policy = serde_json::json!({"sources": [{"name": "p", "text": String::from_utf8_lossy(bytes)}]});
    policy["strict"] = true.into();
    let (compiled, _) = with(policy.to_string().as_bytes(), |at, length| exports::compile(at, length));
    with(bytes, |event, length| exports::decide(handle, event, length, 0, 0));
    with(bytes, |event, length| exports::explain(handle, event, length, 0, 0));
    with(bytes, |options, length| exports::decide(handle, 0, 0, options, length));
    session(handle, bytes);
    let mut buffers = Vec::new();
    let mut rest = Bytes(bytes);
    for _ in 0..32 {
        call(&mut rest, &mut buffers);
    }
    for (address, _) in buffers {
        finish(exports::free(address));
    }
    for handle in [handle, compiled.max(0).unsigned_abs()] {
        finish(exports::unload(handle));
    }
}

/// A session: any bytes as events, options, verdicts and snapshots. Its own snapshot opens it again.
fn session(module: u32, bytes: &[u8]) {
    with(bytes, |at, length| exports::session_open(module, at, length.max(1)));
    let session = exports::session_open(module, 0, 0).unsigned_abs();
    let (options, _) = bytes.split_at(bytes.len().min(32));
    let time = br#"{"time": 7}"#;
    with(&[time.as_slice(), bytes].concat(), |at, length| {
        exports::session_decide(session, at + time.len(), length - time.len(), at, time.len())
    });
    with(options, |at, length| exports::session_decide(session, at, length, at, length));
    with(options, |at, length| exports::session_settle(session, 1, at, length));
    let snapshot = finish(exports::session_snapshot(session));
    let (opened, _) = with(&snapshot, |at, length| exports::session_open(module, at, length));
    assert!(opened > 0, "a snapshot opens");
    for handle in [session, opened.unsigned_abs()] {
        assert_eq!(exports::session_free(handle), 0);
        assert_eq!(exports::session_free(handle), -2);
    }
}

/// Writes bytes to a buffer, calls a function with it, and checks how it ended.
fn with(bytes: &[u8], call: impl FnOnce(usize, usize) -> i32) -> (i32, Vec<u8>) {
    let address = exports::alloc(bytes.len());
    assert_ne!(address, 0, "there is memory");
    // SAFETY: `alloc` gave as many bytes.
    let buffer = unsafe {
        std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut::<u8>(address), bytes.len())
    };
    buffer.copy_from_slice(bytes);
    let status = call(address, bytes.len());
    let result = finish(status);
    assert_eq!(exports::free(address), 0);
    (status, result)
}

/// The result of a call; of one that failed, a failure.
fn finish(status: i32) -> Vec<u8> {
    let start = std::ptr::with_exposed_provenance::<u8>(exports::result_ptr());
    // SAFETY: the result is valid until the next call.
    let result = unsafe { std::slice::from_raw_parts(start, exports::result_length()) }.to_vec();
    if status < 0 {
        let failure: Value = serde_json::from_slice(&result).expect("a failure is JSON");
        assert_ne!(failure["kind"], "internal", "{failure}");
        assert!(failure["code"].as_str().is_some_and(|code| !code.is_empty()), "{failure}");
        assert!(failure["message"].as_str().is_some_and(|message| !message.is_empty()), "{failure}");
        assert!(failure["diagnostics"].is_array(), "{failure}");
    }
    result
}

/// One call with addresses, lengths and handles of the bytes.
fn call(rest: &mut Bytes<'_>, buffers: &mut Vec<(usize, usize)>) {
    let (known, length) =
        buffers.get(usize::from(rest.byte()) % buffers.len().max(1)).copied().unwrap_or_default();
    let at = match rest.byte() % 4 {
        0 => rest.number(),
        1 => known.wrapping_add(rest.number()),
        _ => known,
    };
    let length = if rest.byte().is_multiple_of(2) { length } else { rest.number() };
    let handle = u32::from(rest.byte());
    let status = match rest.byte() % 9 {
        0 | 1 => {
            let wanted = rest.number() % (1 << 16);
            buffers.push((exports::alloc(wanted), wanted.max(1)));
            return;
        }
        2 => {
            let status = exports::free(at);
            assert_eq!(status == 0, buffers.iter().any(|(start, _)| *start == at));
            buffers.retain(|(start, _)| *start != at);
            status
        }
        3 => exports::load(at, length),
        4 => exports::decide(handle, at, length, known, 1),
        5 => exports::explain(handle, at, length, 0, 0),
        6 => exports::compile(at, length),
        7 => exports::module(handle),
        _ => exports::unload(handle.max(200) + 1_000_000),
    };
    finish(status);
}
