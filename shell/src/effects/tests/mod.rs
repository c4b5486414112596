//! Tests of predicates.

mod problems;
