/* Denies a push after an edit without a test. */
#include "hookc.h"
#include <stdio.h>
#include <string.h>

static const char POLICY[] = "facts:\n"
                             "  edited: {event: PostToolUse, when: \"tool_name in ['Edit', 'Write']\"}\n"
                             "  tested: {event: PostToolUse, when: \"passed('cargo test')\"}\n"
                             "hooks:\n"
                             "  - event: PreToolUse\n"
                             "    when: may_push() and formerly(edited since tested)\n"
                             "    action: {type: deny, reason: Run the tests first.}\n";
static const char *const EVENTS[] = {
    "{\"hook_event_name\": \"PostToolUse\", \"tool_name\": \"Edit\", \"tool_input\": {\"file_path\": \"lib.rs\"}}",
    "{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git push\"}}",
};

int main(void) {
    HookcPolicy *policy;
    HookcEngine *engine;
    HookcSession *session;
    if (hookc_policy_from_yaml(POLICY, strlen(POLICY), &policy, NULL) != HOOKC_STATUS_OK) return 1;
    if (hookc_engine_new(policy, &engine, NULL) != HOOKC_STATUS_OK) return 1;
    if (hookc_session_open(engine, hookc_text("conversation 7"), &session, NULL) != HOOKC_STATUS_OK) return 1;
    for (uint64_t time = 0; time < 2; time++) {
        HookcDecision *decision;
        const char *event = EVENTS[time];
        if (hookc_session_decide(session, event, strlen(event), time, NULL, &decision, NULL) != HOOKC_STATUS_OK) return 1;
        HookcHook hook;
        if (hookc_decision_hook(decision, 0, &hook, NULL) == HOOKC_STATUS_OK)
            printf("%.*s\n", (int)hook.action.length, hook.action.data);
        hookc_decision_free(decision);
    }
    hookc_session_free(session);
    hookc_engine_free(engine);
    hookc_policy_free(policy);
    return 0;
}
