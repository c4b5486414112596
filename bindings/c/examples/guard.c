/* Decides about one event. See bindings/c/README.md for how to build it. */
#include "hookc.h"
#include <stdio.h>
#include <string.h>

static int failed(HookcError *error) {
    HookcText text = hookc_error_rendered(error);
    fprintf(stderr, "%.*s\n", (int)text.length, text.data);
    hookc_error_free(error);
    return 1;
}

int main(void) {
    const char *yaml = "hooks:\n"
                       "  - event: PreToolUse\n"
                       "    when: may_push()\n"
                       "    action: {type: ask, reason: 'Push ${tool_input.command}?'}\n";
    const char *event = "{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\","
                        " \"tool_input\": {\"command\": \"git push --force\"}}";
    HookcPolicy *policy;
    HookcEngine *engine;
    HookcDecision *decision;
    HookcError *error;

    if (hookc_policy_from_yaml(yaml, strlen(yaml), &policy, &error) != HOOKC_STATUS_OK) return failed(error);
    HookcStatus status = hookc_engine_new(policy, &engine, &error);
    hookc_policy_free(policy); /* The engine has what it needs. */
    if (status != HOOKC_STATUS_OK) return failed(error);

    /* Any number of threads can decide with one engine. */
    status = hookc_engine_decide(engine, event, strlen(event), NULL, &decision, &error);
    hookc_engine_free(engine);
    if (status != HOOKC_STATUS_OK) return failed(error); /* You choose: fail open, or closed. */

    /* No hooks: no opinion, which is not permission. */
    for (size_t i = 0; i < hookc_decision_hook_count(decision); i++) {
        HookcHook hook;
        if (hookc_decision_hook(decision, i, &hook, &error) != HOOKC_STATUS_OK) return failed(error);
        printf("%.*s:%u: %.*s\n", (int)hook.file.length, hook.file.data, (unsigned)hook.line, (int)hook.action.length,
               hook.action.data);
    }
    hookc_decision_free(decision);
    return 0;
}
