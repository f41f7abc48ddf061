//! Fuzz target: see `countersign_fuzz::call_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| countersign_fuzz::call_json(text));
