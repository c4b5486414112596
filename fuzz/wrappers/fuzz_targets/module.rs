//! See `hookc_fuzz::module`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::module(bytes));
