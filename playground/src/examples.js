// What the page starts with.

export const EXAMPLES = [
  {
    name: "Ask before a push",
    policy: `# Hooks of a coding agent. Every hook whose condition is true decides.
hooks:
  - id: ask_before_push
    event: PreToolUse
    when: may_push()
    action: {type: ask, reason: "Push with \`\${tool_input.command}\`?"}

  - id: no_secrets
    event: PreToolUse
    when: tool_name == 'Read' and tool_input.file_path glob '**/.env*'
    action: {type: deny, reason: "\${tool_input.file_path} contains secrets."}
`,
    event: `{
  "hook_event_name": "PreToolUse",
  "tool_name": "Bash",
  "tool_input": {"command": "cd app && git push --force origin main"}
}
`,
  },
  {
    name: "A retry of a thread",
    policy: `# A policy of a thread: what happens after an error.
hooks:
  - id: overloaded
    event: error
    when: error.code in ['overloaded', 'rate_limited']
    action: {type: retry, max_attempts: 5}

  - id: give_up
    event: error
    action: {type: fail, error_message: "\${error.message ?? 'no message'}"}
`,
    event: `{
  "event": {"type": "error"},
  "error": {"code": "overloaded", "message": "try again later"}
}
`,
  },
  {
    name: "A mistake",
    policy: `hooks:
  - id: stop
    event: PreToolUse
    when: tool_nam == 'Bash'
    action: {type: dney, reason: "No."}
`,
    event: `{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
`,
  },
];
