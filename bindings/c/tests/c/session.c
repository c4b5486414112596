/* Sessions: what happened before decides. */
#include "check.h"

#define BASH "{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\"}"
#define MINUTE 60000u

static const char POLICY[] = "hooks:\n"
                             "  - id: twice\n"
                             "    event: PreToolUse\n"
                             "    when: \"count(PreToolUse where tool_name == 'Bash' within 10m) >= 2\"\n"
                             "    action: {type: deny, reason: 'Two commands are enough.'}\n";

static HookcSession *open_session(const HookcEngine *engine, const char *id) {
    HookcSession *session = NULL;
    HookcError *error = NULL;
    CHECK(hookc_session_open(engine, hookc_text(id), &session, &error) == HOOKC_STATUS_OK);
    CHECK(session != NULL && error == NULL);
    return session;
}

static HookcDecision *decide_at(const HookcSession *session, uint64_t time) {
    HookcDecision *decision = NULL;
    CHECK(hookc_session_decide(session, BASH, strlen(BASH), time, NULL, &decision, NULL) == HOOKC_STATUS_OK);
    return decision;
}

/* How many hooks decide. */
static size_t hooks_at(const HookcSession *session, uint64_t time) {
    HookcDecision *decision = decide_at(session, time);
    size_t count = hookc_decision_hook_count(decision);
    CHECK(hookc_decision_unknown_count(decision) == 0 && hookc_decision_step(decision) > 0);
    hookc_decision_free(decision);
    return count;
}

static void a_session_counts_within_its_window(HookcEngine *engine) {
    HookcSession *session = open_session(engine, "s1"), *other = open_session(engine, "s2");
    CHECK(hooks_at(session, 0) == 0 && hooks_at(session, 1) == 0);
    CHECK(hooks_at(session, 2) == 1);
    CHECK(hooks_at(other, 2) == 0); /* Of another session. */
    HookcSession *again = open_session(engine, "s1");
    CHECK(hooks_at(again, 3) == 1);
    CHECK(hooks_at(session, 11 * MINUTE) == 0); /* The window is over. */
    hookc_session_free(session);
    hookc_session_free(again);
    hookc_session_free(other);
}

static void the_bytes_restore_it(HookcEngine *engine) {
    HookcSession *session = open_session(engine, "s3");
    CHECK(hooks_at(session, 0) == 0 && hooks_at(session, 1) == 0);
    HookcSnapshot *snapshot = NULL;
    HookcError *error = NULL;
    CHECK(hookc_session_snapshot(session, &snapshot, &error) == HOOKC_STATUS_OK);
    hookc_session_free(session);
    size_t length = 0;
    const uint8_t *bytes = hookc_snapshot_bytes(snapshot, &length);
    CHECK(bytes != NULL && length > 0);
    HookcEngine *next = engine_of(POLICY); /* Another process. */
    HookcSession *restored = NULL;
    CHECK(hookc_session_restore(next, hookc_text("s3"), bytes, length, &restored, &error) == HOOKC_STATUS_OK);
    hookc_engine_free(next); /* The session has what it needs. */
    CHECK(hooks_at(restored, 2) == 1);
    hookc_session_free(restored);

    uint8_t *copy = malloc(length);
    for (size_t at = 0; at < length; at++) {
        memcpy(copy, bytes, length);
        copy[at] ^= 0x11;
        HookcStatus status = hookc_session_restore(engine, hookc_text("s4"), copy, length, &restored, &error);
        CHECK(status == HOOKC_STATUS_OK || (status == HOOKC_STATUS_SNAPSHOT && is(hookc_error_code(error), "snapshot")));
        hookc_session_free(restored);
        hookc_error_free(error);
        CHECK(hookc_session_restore(engine, hookc_text("s4"), bytes, at, &restored, NULL) == HOOKC_STATUS_SNAPSHOT);
    }
    free(copy);
    hookc_snapshot_free(snapshot);
}

static void an_event_that_waits_is_settled(void) {
    HookcEngine *engine = engine_of("hooks:\n"
                                    "  - {id: ask_model, event: PreToolUse, action: {type: prompt, prompt: Fine?}}\n"
                                    "  - {id: after, event: Stop, when: formerly(denied PreToolUse), action: {type: deny}}\n");
    HookcSession *session = open_session(engine, "s5");
    HookcDecision *decision = decide_at(session, 1);
    CHECK(hookc_decision_hook_count(decision) == 1);
    uint64_t step = hookc_decision_step(decision);
    hookc_decision_free(decision);
    int32_t waited = 7;
    CHECK(hookc_session_settle(session, step, hookc_text("denied"), &waited, NULL) == HOOKC_STATUS_ARGUMENT && waited == 7);
    CHECK(hookc_session_settle(session, step, hookc_text("deny"), &waited, NULL) == HOOKC_STATUS_OK && waited == 1);
    CHECK(hookc_session_settle(session, step, hookc_text("allow"), &waited, NULL) == HOOKC_STATUS_OK && waited == 0);
    CHECK(hookc_session_decide(session, STOP, strlen(STOP), 2, NULL, &decision, NULL) == HOOKC_STATUS_OK);
    CHECK(hookc_decision_hook_count(decision) == 1);
    hookc_decision_free(decision);
    hookc_session_free(session);
    hookc_engine_free(engine);
}

static void without_a_session_the_condition_is_unknown(HookcEngine *engine) {
    HookcDecision *decision = NULL;
    HookcError *error = NULL;
    HookcHook hook;
    CHECK(decide(engine, BASH, &decision, NULL) == HOOKC_STATUS_OK);
    CHECK(hookc_decision_hook_count(decision) == 0 && hookc_decision_step(decision) == 0);
    CHECK(hookc_decision_unknown_count(decision) == 1);
    CHECK(hookc_decision_unknown(decision, 0, &hook, NULL) == HOOKC_STATUS_OK && is(hook.id, "twice"));
    CHECK(is(hookc_decision_unknown_cause(decision, 0), "the history of the session is unknown: no history is kept"));
    CHECK(is(hookc_decision_unknown_cause(decision, 1), ""));
    CHECK(contains(hookc_decision_json(decision), "\"unknown\":[{\"hook\":\"twice\","));
    CHECK(hookc_decision_unknown(decision, 1, &hook, &error) == HOOKC_STATUS_ARGUMENT);
    hookc_error_free(error);
    hookc_decision_free(decision);
}

static void wrong_use_is_an_error(HookcEngine *engine) {
    HookcSession *session = open_session(engine, "s6"), *made = session;
    HookcSnapshot *snapshot = NULL;
    HookcDecision *decision = NULL;
    HookcText id = hookc_text("s6"), none = hookc_text(NULL);
    CHECK(hookc_session_open(NULL, id, &made, NULL) == HOOKC_STATUS_ARGUMENT && made == NULL);
    CHECK(hookc_session_open(engine, none, &made, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(hookc_session_open(engine, id, NULL, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(hookc_session_open((HookcEngine *)session, id, &made, NULL) == HOOKC_STATUS_HANDLE);
    CHECK(hookc_session_restore(engine, id, NULL, 9, &made, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(hookc_session_restore(engine, id, NULL, 0, &made, NULL) == HOOKC_STATUS_SNAPSHOT);
    CHECK(hookc_session_decide(NULL, BASH, 2, 0, NULL, &decision, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(hookc_session_decide((HookcSession *)engine, BASH, 2, 0, NULL, &decision, NULL) == HOOKC_STATUS_HANDLE);
    CHECK(hookc_session_decide(session, "{", 1, 0, NULL, &decision, NULL) == HOOKC_STATUS_EVENT);
    CHECK(hookc_session_settle(session, 1, none, NULL, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(hookc_session_settle(NULL, 1, hookc_text("deny"), NULL, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(hookc_session_snapshot(NULL, &snapshot, NULL) == HOOKC_STATUS_ARGUMENT && snapshot == NULL);
    size_t length = 9;
    CHECK(hookc_snapshot_bytes(NULL, &length) == NULL && length == 0);
    CHECK(hookc_snapshot_bytes((HookcSnapshot *)session, NULL) == NULL);
    CHECK(hookc_decision_unknown_count(NULL) == 0 && hookc_decision_step(NULL) == 0);
    hookc_session_free(session);
    hookc_session_free(NULL);
    hookc_snapshot_free(NULL);
}

int main(void) {
    HookcEngine *engine = engine_of(POLICY);
    a_session_counts_within_its_window(engine);
    the_bytes_restore_it(engine);
    an_event_that_waits_is_settled();
    without_a_session_the_condition_is_unknown(engine);
    wrong_use_is_an_error(engine);
    hookc_engine_free(engine);
    puts("ok");
    return 0;
}
