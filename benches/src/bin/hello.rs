//! The least that a Rust process does: prints a line.
#![allow(clippy::print_stdout, reason = "this is its work")]

fn main() {
    println!("hello");
}
