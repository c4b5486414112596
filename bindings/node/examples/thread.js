// A thread of an agent whose errors, limits and steps a policy decides about: `node bindings/node/examples/thread.js`.
//
// The program runs the thread and does what each step says. hookc counts the retries, computes the waits, and keeps what
// the thread waits for; the state is saved as JSON whenever the thread waits, and another process could restore it.
import { setTimeout as sleep } from "node:timers/promises";
import { compiler } from "hookc";

const { policy } = (await compiler()).compile(`
hooks:
  - id: try_again
    event: error
    when: classification.category == 'overloaded'
    action: {type: retry, max_attempts: 2, backoff_policy: fixed, delay: 0.01}
  - id: ask_a_person
    event: error
    action: {type: escalate, target: user_approval, timeout_seconds: 600}
  - {id: budget, event: limit, when: limit_code == 'spend_exceeded', action: {type: suspend, suspend_reason: budget}}
  - {id: compact, event: context_window_pressure, action: {type: call_directive, directive: summarize}}
`);

/** What only this program can do; a real one starts a model here, or notifies a person. */
async function perform(action) {
  switch (action.type) {
    case "escalate":
      return null; // The answer comes later.
    case "call_directive":
      return { compaction: { summary: `a summary by ${action.directive}`, prune_before_turn: 3 } };
    default:
      throw new Error(`this program cannot do ${action.type}`);
  }
}

/** The step of the thread, with the actions that the program performs. */
async function on(thread, event) {
  let step = thread.on(event);
  while (step.kind === "perform") {
    const { action } = step;
    // What `perform` throws is a failure of the hook.
    const result = await perform(action).then((value) => ({ value }), (error) => ({ error }));
    step = "error" in result ? thread.failed(result.error) : thread.performed(result.value);
  }
  return step;
}

const overloaded = { classification: { category: "overloaded" }, error: { code: "http_529" } };
const events = [
  ["error", overloaded],
  ["error", overloaded],
  ["error", overloaded],
  ["error", { classification: { category: "auth" }, error: { code: "http_401" } }],
  ["limit", { limit_code: "spend_exceeded", limit_value: 12.5, limit_max: 10 }],
  ["context_window_pressure", { pressure_ratio: 0.9 }],
  ["after_step", {}],
];
let thread = policy.thread();
for (const [type, event] of events) {
  const step = await on(thread, { event: { type }, ...event });
  console.log(`${type}: ${JSON.stringify(step)}`);
  if (step.kind === "retry") await sleep(step.after * 1000);
  if (step.kind === "suspend" || step.kind === "escalate") {
    thread = policy.thread({ state: thread.state });
    if (step.kind === "suspend") thread.resume();
    else console.log(`the user: yes: ${JSON.stringify(thread.answered(true))}`);
  }
}
