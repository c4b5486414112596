//! The functions of the C library: any bytes as policies, modules, events and options; null, lengths
//! that no memory has, and handles of other kinds. A call gives what it promises, or an error with a
//! message.

use std::ptr::{null, null_mut};

use hookc::{
    HookcCompileOptions, HookcDecideOptions, HookcDecision, HookcEngine, HookcError, HookcHook, HookcPolicy,
    HookcSource, HookcStatus, HookcText,
};

use crate::POLICY;
use crate::calls::Bytes;

/// Calls of the C library.
pub fn c(bytes: &[u8]) {
    unsafe {
        let policy = compile(&[source(POLICY.as_bytes())], &options(&mut Bytes(&[]))).expect("it compiles");
        let engine = made(|engine, error| hookc::hookc_engine_new(policy, engine, error)).expect("an engine");
        decide(engine, bytes, null());
        load(bytes);
        let mut rest = Bytes(bytes);
        match rest.byte() % 4 {
            0 => wrong(&mut rest, policy, engine),
            1 => with_options(&mut rest, engine),
            2 => drop(sources(&mut rest).map(|other| reload(engine, other))),
            _ => changed_module(&mut rest, policy),
        }
        hookc::hookc_policy_free(policy);
        hookc::hookc_engine_free(engine);
    }
}

/// Makes a handle: exactly one of handle and error is there, and the error says why.
unsafe fn made<T>(call: impl FnOnce(*mut *mut T, *mut *mut HookcError) -> HookcStatus) -> Option<*mut T> {
    let (mut handle, mut error) = (null_mut(), null_mut());
    let status = call(&mut handle, &mut error);
    assert_eq!(status == HookcStatus::Ok, error.is_null(), "{status:?}");
    assert_eq!(status == HookcStatus::Ok, !handle.is_null(), "{status:?}");
    unsafe { failed(status, error) };
    (!handle.is_null()).then_some(handle)
}

/// An error has a message and a text; no input is a fault of hookc.
unsafe fn failed(status: HookcStatus, error: *mut HookcError) {
    if error.is_null() {
        return;
    }
    unsafe {
        assert_eq!(hookc::hookc_error_status(error), status);
        assert_ne!(status, HookcStatus::Internal, "{}", text(hookc::hookc_error_message(error)));
        assert!(!text(hookc::hookc_error_message(error)).is_empty());
        assert!(!text(hookc::hookc_error_rendered(error)).is_empty());
        json(hookc::hookc_error_diagnostics(error));
        let line = hookc::hookc_error_line(error);
        assert_eq!(line == 0, text(hookc::hookc_error_file(error)).is_empty());
        assert_eq!(line == 0, hookc::hookc_error_column(error) == 0);
        hookc::hookc_error_free(error);
    }
}

unsafe fn text<'a>(text: HookcText) -> &'a str {
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) };
    std::str::from_utf8(bytes).expect("results are UTF-8")
}

unsafe fn json(of: HookcText) {
    let read: Result<serde::de::IgnoredAny, _> = serde_json::from_str(unsafe { text(of) });
    read.expect("results are JSON");
}

fn given(bytes: &[u8]) -> HookcText {
    HookcText { data: bytes.as_ptr().cast(), length: bytes.len() }
}

const NOT_GIVEN: HookcText = HookcText { data: null(), length: 0 };

fn source(text: &[u8]) -> HookcSource {
    HookcSource { name: NOT_GIVEN, text: given(text), dialect: NOT_GIVEN, layer: NOT_GIVEN }
}

fn options(rest: &mut Bytes<'_>) -> HookcCompileOptions {
    let shipped = [&b""[..], b"never", b"threads", b"always"][usize::from(rest.byte() % 4)];
    let shipped_hooks = if shipped.is_empty() { NOT_GIVEN } else { given(shipped) };
    HookcCompileOptions { shipped_hooks, strict: rest.byte().into(), strip: rest.byte().into() }
}

unsafe fn compile(sources: &[HookcSource], options: &HookcCompileOptions) -> Option<*mut HookcPolicy> {
    unsafe {
        made(|policy, error| {
            hookc::hookc_policy_compile(sources.as_ptr(), sources.len(), options, policy, error)
        })
    }
}

unsafe fn decide(engine: *const HookcEngine, event: &[u8], options: *const HookcDecideOptions) {
    unsafe {
        let decided = made(|decision, error| {
            hookc::hookc_engine_decide(engine, event.as_ptr().cast(), event.len(), options, decision, error)
        });
        let Some(decision) = decided else { return };
        json(hookc::hookc_decision_json(decision));
        text(hookc::hookc_decision_event(decision));
        let counts =
            [hookc::hookc_decision_hook_count(decision), hookc::hookc_decision_reported_count(decision)];
        let lists = [hookc::hookc_decision_hook, hookc::hookc_decision_reported];
        for (count, list) in counts.into_iter().zip(lists) {
            for index in 0..=count {
                let mut hook = std::mem::MaybeUninit::<HookcHook>::uninit();
                let mut error = null_mut();
                let status = list(decision, index, hook.as_mut_ptr(), &mut error);
                assert_eq!(status == HookcStatus::Ok, index < count);
                failed(status, error);
                if index < count {
                    let hook = hook.assume_init();
                    assert_eq!(text(hook.action).is_empty(), !text(hook.action_error).is_empty());
                }
            }
        }
        hookc::hookc_decision_free(decision);
    }
}

unsafe fn load(bytes: &[u8]) {
    unsafe {
        let loaded =
            made(|policy, error| hookc::hookc_policy_load(bytes.as_ptr(), bytes.len(), policy, error));
        if let Some(policy) = loaded {
            hookc::hookc_policy_free(policy);
        }
    }
}

/// One or two sources, with names that often exist.
unsafe fn sources(rest: &mut Bytes<'_>) -> Option<*mut HookcPolicy> {
    let options = options(rest);
    let dialects: [&[u8]; 6] = [b"hooks-yaml", b"settings", b"skill", b"workflow", b"directive-xml", b"\xff"];
    let layers: [&[u8]; 4] = [b"managed", b"project", b"user", b"none"];
    let mut all = Vec::new();
    for _ in 0..=rest.byte() % 2 {
        let (dialect, layer, length) = (rest.byte(), rest.byte(), rest.number());
        let mut one = source(rest.take(length));
        one.dialect = dialects.get(usize::from(dialect % 12)).map_or(NOT_GIVEN, |name| given(name));
        one.layer = layers.get(usize::from(layer % 8)).map_or(NOT_GIVEN, |name| given(name));
        all.push(one);
    }
    unsafe { compile(&all, &options) }
}

unsafe fn reload(engine: *const HookcEngine, policy: *mut HookcPolicy) {
    unsafe {
        json(hookc::hookc_policy_diagnostics(policy));
        text(hookc::hookc_policy_warnings(policy));
        let mut error = null_mut();
        assert_eq!(hookc::hookc_engine_reload(engine, policy, &mut error), HookcStatus::Ok);
        hookc::hookc_policy_free(policy);
        decide(engine, br#"{"hook_event_name": "Stop", "why": "xx"}"#, null());
    }
}

unsafe fn with_options(rest: &mut Bytes<'_>, engine: *const HookcEngine) {
    let families: [&[u8]; 3] = [b"agent", b"thread", b"x"];
    let family = families.get(usize::from(rest.byte() % 6)).map_or(NOT_GIVEN, |name| given(name));
    let strategies: [&[u8]; 3] = [b"all", b"first", b"\xc3"];
    let strategy = strategies.get(usize::from(rest.byte() % 6)).map_or(NOT_GIVEN, |name| given(name));
    let (has_after, after) = (i32::from(rest.byte() % 2), rest.byte().into());
    let length = rest.number();
    let event = if length.is_multiple_of(2) { given(b"Stop") } else { given(rest.take(length)) };
    let options = HookcDecideOptions { event, family, strategy, has_after, after };
    unsafe { decide(engine, rest.0, &options) };
}

/// Null, lengths that no memory has, handles of other kinds.
unsafe fn wrong(rest: &mut Bytes<'_>, policy: *mut HookcPolicy, engine: *mut HookcEngine) {
    unsafe {
        let policies = [null(), policy.cast_const(), engine.cast::<HookcPolicy>().cast_const()];
        let engines = [null(), engine.cast_const(), policy.cast::<HookcEngine>().cast_const()];
        let one = policies[usize::from(rest.byte() % 3)];
        let other = engines[usize::from(rest.byte() % 3)];
        if let Some(made) = made(|engine, error| hookc::hookc_engine_new(one, engine, error)) {
            hookc::hookc_engine_free(made);
        }
        let length = rest.number();
        let far = length > isize::MAX.unsigned_abs();
        let (data, length) = if far { (rest.0.as_ptr(), length) } else { (null(), length) };
        let decided = made::<HookcDecision>(|decision, error| {
            hookc::hookc_engine_decide(other, data.cast(), length, null(), decision, error)
        });
        assert!(decided.is_none(), "no bytes, or too many, are not an event");
        let loaded = made(|policy, error| hookc::hookc_policy_load(data, length, policy, error));
        assert!(loaded.is_none(), "no bytes, or too many, are not a module");
        let status = hookc::hookc_policy_from_yaml(data.cast(), length.max(1), null_mut(), null_mut());
        assert_eq!(status, HookcStatus::Argument);
        text(hookc::hookc_decision_json(policy.cast()));
        hookc::hookc_error_free(engine.cast());
    }
}

/// A module with other bytes at some places.
unsafe fn changed_module(rest: &mut Bytes<'_>, policy: *const HookcPolicy) {
    unsafe {
        let mut length = 0;
        let module = hookc::hookc_policy_module(policy, &mut length);
        let mut copy = std::slice::from_raw_parts(module, length).to_vec();
        while !rest.0.is_empty() {
            let at = rest.number() % length;
            copy[at] ^= rest.byte();
        }
        load(&copy);
    }
}
