//! See `hookc_agent_fuzz::wires`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_agent_fuzz::wires(bytes));
