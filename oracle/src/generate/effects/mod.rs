//! Random command lines over the rows of programs, events of tools, and predicates near their words.

mod line;
mod predicate;
mod tool;

pub use line::{command, line, wrapped};
pub use predicate::{guard, predicate, sets};
pub use tool::event;

/// Paths that lines, inputs and patterns have in common.
const PATHS: &[&str] = &[
    ".env",
    "src/main.rs",
    "./src",
    "src",
    ".",
    "..",
    "../x",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "~",
    "/",
    "a.pem",
    "src/a/b.rs",
    "/p",
    "/p/src",
    "/p/sub/x.rs",
    "x.rs",
    "main.rs",
    "/tmp/x",
    "SRC/Main.rs",
    "test/.env",
    "a b",
    ".github/workflows/ci.yml",
    "/home/me/.ssh/config",
];

/// Paths of which a shell makes others.
const OPEN: &[&str] = &[
    "$X",
    "src/$X",
    "$X/main.rs",
    "*.rs",
    "src/*",
    ".e*",
    "?.rs",
    "[ab].pem",
    "src/*.rs",
    "/etc/*",
    "$(cat f)",
    "~/*",
    "a$X.pem",
    "$X.env",
    "**/x.rs",
    ".*",
];

const HOSTS: &[&str] = &["docs.rs", "evil.example", "10.0.0.1", "localhost", "wiki.internal", "GitHub.com"];
const PACKAGES: &[&str] =
    &["left-pad", "@types/node", "serde", "x@1.2", "https://h.example/x.tgz", "./x", "$X"];
const BRANCHES: &[&str] = &["main", "release/1", "feature", "HEAD", "$X", "Main"];
const ARGUMENT_TEXTS: &[&str] = &["x", "1", "a=b", "foo", "main", "$X", "key", "*"];
const VARIABLES: &[&str] = &["TOKEN", "X", "HOME", "LC_ALL", "PATH", "CI", "x", "http_proxy"];
