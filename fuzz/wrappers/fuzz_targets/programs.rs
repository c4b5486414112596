//! See `hookc_fuzz::programs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::programs(bytes));
