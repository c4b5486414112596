// Decides about one event: `node bindings/node/examples/guard.js`.
import { compiler, HookcError } from "hookc";

const { policy } = (await compiler()).compile(`
hooks:
  - event: PreToolUse
    when: may_push()
    action: {type: ask, reason: "Push \${tool_input.command}?"}
`);

try {
  const decision = policy.decide({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "git push --force" },
  });
  // No hooks: no opinion, which is not permission.
  for (const hook of decision.hooks) {
    console.log(`${hook.location?.file}:${hook.location?.line}: ${JSON.stringify(hook.action)}`);
  }
} catch (error) {
  // You choose: fail open, or closed.
  if (!(error instanceof HookcError)) throw error;
  console.error(error.rendered);
  process.exitCode = 2;
}
