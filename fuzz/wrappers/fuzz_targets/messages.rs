//! See `hookc_fuzz::messages`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::messages(bytes));
