//! See `hookc_fuzz::shell`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::shell(bytes));
