//! All tests of the crate in one binary, which links once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs,
    reason = "tests"
)]

mod advice;
mod alloc;
mod built;
mod bytecode_doc;
mod check_actions;
mod check_conditions;
mod codegen;
mod corpus;
mod decode;
mod directive_xml_write;
mod disasm;
mod effects;
mod effects_view;
mod expr_jsonpath_suite;
mod fmt;
mod growth;
mod growth_stages;
mod history;
mod indexes;
mod link;
mod linked;
mod lint;
mod lint_heads;
mod lint_places;
mod lint_sound;
mod lowlevel;
mod many_diagnostics;
mod narrowing;
mod older;
mod plan;
mod repository;
mod schema;
mod schema_suite;
mod schemas;
mod settings;
mod shipped;
mod skill;
mod support;
mod testing;
mod views;
mod wild_skills;
mod wild_threads;
mod workflow;
