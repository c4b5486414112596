// The types, as a program in TypeScript uses them. `tsc -p test` checks this file; nothing runs it.
import { compiler, HookcError, load, version } from "hookc";
import type { Action, CompiledPolicy, Decision, Diagnostic, ErrorCode, ErrorKind, Location, MatchedHook, Policy, Session, Step, Thread, UnknownHook } from "hookc";

const compiled: { policy: CompiledPolicy; report: { ok: boolean; diagnostics: Diagnostic[] } } = (await compiler()).compile(
  [{ name: "policy.yaml", text: "hooks: []", layer: "project" }],
  { strict: true, shippedHooks: "threads" },
);
const policy: Policy = await load(compiled.policy.module);
const decision: Decision = policy.decide({ hook_event_name: "Stop" }, { strategy: "all", after: 3 });
const ids: string[] = decision.hooks.map((hook: MatchedHook) => hook.id);
const action: Action | null | undefined = decision.hooks[0]?.action;
const reason: unknown = action?.reason;
const line: number | undefined = compiled.policy.explain(new Uint8Array()).hooks[0]?.rank;
const format: number = (await version()).format;
export function describe(error: unknown): [ErrorKind, ErrorCode, Location | null, string] | undefined {
  return error instanceof HookcError ? [error.kind, error.code, error.location, error.rendered] : undefined;
}
export { format, ids, line, reason };

const thread: Thread = policy.thread({ state: '{"version":1,"retries":{}}', failureMode: "open" });
export async function on(event: object, perform: (action: Action) => Promise<unknown>): Promise<number | string | null> {
  let step: Step = thread.on(event);
  while (step.kind === "perform") step = thread.performed(await perform(step.action));
  if (step.kind === "retry") return step.after;
  return step.kind === "suspend" || step.kind === "escalate" ? (thread.waits?.hook ?? null) : step.kind;
}

const session: Session = policy.session({ snapshot: policy.session().snapshot() });
const decided: Decision = session.decide({ hook_event_name: "Stop" }, { time: 7, strategy: "first" });
export const settled: boolean = session.settle(decided.step ?? 0, "deny");
export const causes: string[] = decided.unknown.map((hook: UnknownHook) => `${hook.id}: ${hook.cause}`);
// @ts-expect-error: there is no such verdict.
session.settle(1, "denied");

// @ts-expect-error: an event is not a number.
policy.decide(7);
// @ts-expect-error: there is no such strategy.
policy.decide("{}", { strategy: "last" });
// @ts-expect-error: a loaded policy has no explanations.
policy.explain("{}");
// @ts-expect-error: a module is bytes.
await load("hooks: []");
// @ts-expect-error: an answer is yes or no.
thread.answered("yes");
// @ts-expect-error: only a retry has a wait.
thread.on("{}").after;
