//! See `hookc_fuzz::directive_xml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::directive_xml(bytes));
