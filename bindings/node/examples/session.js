// Denies a push after an edit without a test: `node bindings/node/examples/session.js`.
import { compiler } from "hookc";

const { policy } = (await compiler()).compile(`
facts:
  edited: {event: PostToolUse, when: "tool_name in ['Edit', 'Write']"}
  tested: {event: PostToolUse, when: "passed('cargo test')"}
hooks:
  - event: PreToolUse
    when: may_push() and formerly(edited since tested)
    action: {type: deny, reason: Run the tests first.}
`);
const push = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git push" } };
const session = policy.session();
session.decide({ hook_event_name: "PostToolUse", tool_name: "Edit", tool_input: { file_path: "lib.rs" } });
console.log(session.decide(push).hooks[0]?.action?.reason);

// The state is bytes: another process restores them, later.
const restored = policy.session({ snapshot: session.snapshot() });
console.log(restored.decide(push).hooks.length);
