//! The example thread runtime, run unchanged.

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../examples/thread.rs"]
mod thread;

const SAID: &str = r#"[info] turn 1 begins, 0 spent
  it reads the task
[info] turn 2 begins, 2 spent
  try_again: try 1 in 10 ms
  try_again: try 2 in 20 ms
  it looks at the code
[info] turn 3 begins, 4 spent
  try_again: try 1 in 10 ms
  try_again: try 2 in 20 ms
  to the user: the model is overloaded; go on without it?
  ask_a_person: ask (user_approval)
  saved: {"version":1,"retries":{"try_again":2},"suspended":null,"escalation":{"hook":"ask_a_person","target":"user_approval","message":null,"timeout_seconds":600}}
  the user: yes
[info] turn 4 begins, 4 spent
  it writes the change
  out_of_budget: suspend (budget)
  saved: {"version":1,"retries":{},"suspended":{"hook":"out_of_budget","reason":"budget","resume_hint":null},"escalation":null}
  resumed with a budget of 50
  default_compaction failed: what it returned is not a return object: "here is a summary"
[info] turn 5 begins, 6 spent
  it writes tests
  default_compaction: compact
[info] turn 6 begins, 8 spent
  it tidies up
  look_at_the_tests: fail
ended: the tests do not pass any more
history: knows the task and the code; writes the change; writes tests; tidies up
"#;

#[test]
fn follows_its_policy() {
    let mut out = Vec::new();
    thread::session(&mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), SAID);
}
