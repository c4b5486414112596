
export const Hookc = async ({ directory }) => {
  /** Texts for the model that its next result or message shows, by call or session. */
  const contexts = new Map();
  const event = (name, session, members) =>
    ({ hook_event_name: name, opencode_plugin: 1, session_id: session, cwd: directory, ...members });
  const take = (key) => {
    const found = contexts.get(key);
    contexts.delete(key);
    return found;
  };
  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const tool_input = output.args ?? {};
      const said = await answer(event("PreToolUse", sessionID, { tool_name: tool, tool_use_id: callID, tool_input }));
      // Nobody can be asked here.
      if (said.decision === "deny" || said.decision === "ask") throw new Error(said.reason);
      if (said.input) replace(output.args, said.input);
      if (said.context) contexts.set(callID, said.context);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const { title, metadata } = output;
      const tool_response = { output: output.output, title, metadata };
      const members = { tool_name: tool, tool_use_id: callID, tool_input: args ?? {}, tool_response };
      const said = await answer(event("PostToolUse", sessionID, members));
      const shown = said.decision === "deny" ? said.reason : "output" in said ? text(said.output) : output.output;
      output.output = [shown, take(callID), said.context].filter(Boolean).join("\n");
    },
    "chat.message": async ({ sessionID, messageID }, output) => {
      const parts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = parts.map((part) => part.text).join("\n");
      const said = await answer(event("UserPromptSubmit", sessionID, { prompt, message_id: messageID }));
      if (said.decision === "deny") throw new Error(said.reason);
      if ("prompt" in said) parts.forEach((part, index) => (part.text = index === 0 ? said.prompt : ""));
      const context = [take(sessionID), said.context].filter(Boolean).join("\n");
      if (context && parts[0]) parts[0].text += `\n${context}`;
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const said = await answer(event("PreCompact", sessionID, { trigger: "auto" }));
      if (said.context) output.context.push(said.context);
    },
    event: async ({ event: { type, properties } }) => {
      const session = properties?.sessionID ?? properties?.info?.id;
      const name = { "session.created": "SessionStart", "session.idle": "Stop" }[type];
      if (name === undefined) return;
      const said = await answer(event(name, session, name === "SessionStart" ? { source: "startup" } : {}));
      if (said.context) contexts.set(session, said.context);
    },
  };
};
