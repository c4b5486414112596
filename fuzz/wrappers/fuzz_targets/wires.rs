//! See `hookc_fuzz::wires`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::wires(bytes));
