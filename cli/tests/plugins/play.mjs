// Plays the part of an agent that loads the plugin: calls of a shell, then a message of the user.

const [, , plugin, text] = process.argv;
const { agent, calls, prompt, typed = [] } = JSON.parse(text);
const module = await import(plugin);
const said = [];

if (agent === "opencode") {
  const hooks = await module.Hookc({ directory: process.cwd() });
  const tried = async (work) => said.push(await work().catch((error) => `denied: ${error.message}`));
  for (const [index, command] of calls.entries()) {
    await tried(async () => {
      const output = { args: { command } };
      await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: `c${index}` }, output);
      return `runs: ${output.args.command}`;
    });
  }
  await tried(async () => {
    const output = { parts: [{ type: "text", text: prompt }] };
    await hooks["chat.message"]({ sessionID: "s" }, output);
    return `runs: ${output.parts[0].text}`;
  });
} else {
  const handlers = new Map();
  module.default({ on: (name, handler) => handlers.set(name, handler) });
  const reasons = [];
  console.error = (reason) => reasons.push(reason);
  const context = { cwd: process.cwd(), hasUI: false, sessionManager: { getSessionId: () => "s" } };
  for (const [index, command] of calls.entries()) {
    const input = { command };
    const answer = await handlers.get("tool_call")({ toolName: "bash", toolCallId: `c${index}`, input }, context);
    said.push(answer?.block ? `denied: ${answer.reason}` : `runs: ${input.command}`);
  }
  for (const command of typed) {
    const { result, operations } = (await handlers.get("user_bash")({ command, cwd: context.cwd }, context)) ?? {};
    const written = [];
    const run = () => operations.exec(`echo before\n${command}`, context.cwd, { onData: (data) => written.push(data) });
    const { exitCode } = operations ? await run() : {};
    said.push(result ? `denied: ${result.output}` : operations ? `${exitCode}: ${written.join("")}` : `runs: ${command}`);
  }
  const answer = await handlers.get("input")({ text: prompt, source: "interactive" }, context);
  said.push(answer.action === "handled" ? `denied: ${reasons.join()}` : `runs: ${answer.text ?? prompt}`);
}
console.log(JSON.stringify(said));
