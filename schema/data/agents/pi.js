
export default function (pi) {
  /** Texts for the model that its next turn shows, and those that the result of a call shows. */
  let contexts = [];
  const ofCalls = new Map();
  const event = (name, { cwd, sessionManager }, members) =>
    ({ hook_event_name: name, pi_extension: 1, session_id: sessionManager.getSessionId(), cwd, ...members });
  const keep = (said) => {
    if (said.context) contexts.push(said.context);
  };
  /** Why a tool must not run, if it must not. */
  async function denied(said, context) {
    if (said.decision === "ask" && context.hasUI && (await context.ui.confirm("hookc", said.reason ?? "Allow this?"))) return null;
    return said.decision === "deny" || said.decision === "ask" ? (said.reason ?? "denied") : null;
  }
  const on = (name, type, members, then) =>
    pi.on(name, async (sent, context) => then(await answer(event(type, context, members(sent))), sent, context));

  on("session_start", "SessionStart", ({ reason }) => ({ source: reason }), keep);
  on("session_shutdown", "SessionEnd", ({ reason }) => ({ reason }), () => {});
  on("agent_end", "Stop", () => ({}), keep);
  on("session_before_compact", "PreCompact", () => ({ trigger: "auto" }), (said) => (said.decision === "deny" ? { cancel: true } : undefined));
  on("input", "UserPromptSubmit", ({ text, source }) => ({ prompt: text, source }), (said, { images }, { hasUI, ui }) => {
    keep(said);
    if (said.decision === "deny") {
      if (hasUI) ui.notify(said.reason, "error");
      else console.error(said.reason);
      return { action: "handled" };
    }
    return "prompt" in said ? { action: "transform", text: said.prompt, images } : { action: "continue" };
  });
  pi.on("before_agent_start", () => {
    const content = contexts.join("\n");
    contexts = [];
    return content ? { message: { customType: "hookc", content, display: false } } : undefined;
  });
  on("tool_call", "PreToolUse", ({ toolName, toolCallId, input }) => ({ tool_name: toolName, tool_use_id: toolCallId, tool_input: input }),
    async (said, { input, toolCallId }, context) => {
      if (said.context) ofCalls.set(toolCallId, said.context);
      const reason = await denied(said, context);
      if (reason !== null) return { block: true, reason };
      if (said.input) replace(input, said.input);
    });
  on("tool_result", "PostToolUse", ({ toolName, toolCallId, input, content, isError }) =>
    ({ tool_name: toolName, tool_use_id: toolCallId, tool_input: input, tool_response: { content, isError } }),
    (said, { toolCallId, content, isError }) => {
      const of = (text) => ({ type: "text", text });
      const shown = said.decision === "deny" ? [of(said.reason)] : "output" in said ? [of(text(said.output))] : content;
      const more = [ofCalls.get(toolCallId), said.context].filter(Boolean).map(of);
      ofCalls.delete(toolCallId);
      return { content: [...shown, ...more], isError: isError || said.decision === "deny" };
    });
  pi.on("user_bash", async ({ command }, context) => {
    const said = await answer(event("PreToolUse", context, { tool_name: "bash", tool_input: { command } }));
    const output = await denied(said, context);
    if (output !== null) return { result: { output, exitCode: 1, cancelled: false, truncated: false } };
    keep(said);
    if (said.input && said.input.command !== command) return { operations: inPlaceOf(command, said.input.command) };
  });
}

/** Runs the changed command of a user. What Pi's settings put before each command stays. */
function inPlaceOf(old, other) {
  const exec = (command, cwd, { onData, signal, env }) =>
    new Promise((resolve, reject) => {
      const line = command.endsWith(old) ? command.slice(0, command.length - old.length) + other : other;
      const child = spawn("bash", ["-c", line], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      const stop = () => child.pid && process.kill(-child.pid, "SIGKILL");
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop, { once: true });
      for (const stream of [child.stdout, child.stderr]) stream.on("data", onData);
      child.on("error", reject);
      child.on("close", (code) => {
        signal?.removeEventListener("abort", stop);
        if (signal?.aborted) reject(new Error("aborted"));
        else resolve({ exitCode: code ?? 1 });
      });
    });
  return { exec };
}
