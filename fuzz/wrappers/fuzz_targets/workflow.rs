//! See `hookc_fuzz::workflow`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::workflow(bytes));
