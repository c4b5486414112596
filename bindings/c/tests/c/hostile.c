/* What the functions do when they are used wrongly, as far as it can be checked. */
#include "check.h"

#define FAILS(expected, call)                                                                  \
    do {                                                                                       \
        HookcError *error = NULL;                                                              \
        CHECK((call) == (expected));                                                           \
        CHECK(hookc_error_status(error) == (expected));                                        \
        CHECK(hookc_error_code(error).length > 0);                                             \
        CHECK(hookc_error_message(error).length > 0 && hookc_error_rendered(error).length > 0); \
        hookc_error_free(error);                                                               \
    } while (0)

static const char yaml[] = "hooks: [{event: Stop, action: {type: allow}}]";

static void null_pointers(HookcEngine *engine, HookcPolicy *policy) {
    HookcPolicy *made = policy;
    HookcDecision *decision = NULL;
    HookcEngine *other = NULL;
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_from_yaml(yaml, sizeof yaml - 1, NULL, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_from_yaml(NULL, 7, &made, &error));
    CHECK(made == NULL);
    /* A policy without a text would let everything through. */
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_from_yaml(NULL, 0, &made, &error));
    HookcSource source = {0};
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(&source, 1, NULL, &made, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(NULL, 3, NULL, &made, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(NULL, 0, NULL, &made, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_load(NULL, 64, &made, &error));
    FAILS(HOOKC_STATUS_MODULE, hookc_policy_load(NULL, 0, &made, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_new(NULL, &other, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_new(policy, NULL, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_reload(NULL, policy, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_reload(engine, NULL, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_decide(NULL, STOP, 2, NULL, &decision, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_decide(engine, NULL, 9, NULL, &decision, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_decide(engine, STOP, 2, NULL, NULL, &error));
    FAILS(HOOKC_STATUS_EVENT, hookc_engine_decide(engine, NULL, 0, NULL, &decision, &error));
    /* Nobody wants the error. */
    CHECK(hookc_engine_decide(NULL, NULL, 0, NULL, NULL, NULL) == HOOKC_STATUS_ARGUMENT);
    CHECK(decide(engine, STOP, &decision, NULL) == HOOKC_STATUS_OK);
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_decision_hook(decision, 0, NULL, &error));
    hookc_decision_free(decision);
    HookcHook hook;
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_decision_hook(NULL, 0, &hook, &error));
    CHECK(hookc_decision_hook_count(NULL) == 0 && hookc_decision_reported_count(NULL) == 0);
    CHECK(is(hookc_decision_json(NULL), "") && is(hookc_decision_event(NULL), ""));
    CHECK(is(hookc_error_code(NULL), "") && is(hookc_error_message(NULL), "") && hookc_error_status(NULL) == HOOKC_STATUS_OK);
    CHECK(hookc_error_line(NULL) == 0 && hookc_error_column(NULL) == 0);
    size_t length = 9;
    CHECK(hookc_policy_module(NULL, &length) == NULL && length == 0);
    CHECK(hookc_policy_module(policy, NULL) != NULL);
    CHECK(is(hookc_policy_warnings(NULL), "") && is(hookc_policy_diagnostics(NULL), ""));
    CHECK(hookc_text(NULL).data == NULL && hookc_text(NULL).length == 0);
    hookc_policy_free(NULL);
    hookc_engine_free(NULL);
    hookc_decision_free(NULL);
    hookc_error_free(NULL);
}

static void lengths_that_no_memory_has(HookcEngine *engine) {
    HookcPolicy *made = NULL;
    HookcDecision *decision = NULL;
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_from_yaml(yaml, (size_t)-1, &made, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_load((const uint8_t *)yaml, (size_t)-1, &made, &error));
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_decide(engine, STOP, (size_t)-1, NULL, &decision, &error));
    HookcSource source = {{"p.yaml", 6}, {yaml, sizeof yaml - 1}, {NULL, 0}, {NULL, 0}};
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(&source, (size_t)-1 / 2, NULL, &made, &error));
}

static void handles_of_another_kind(HookcEngine *engine, HookcPolicy *policy) {
    HookcDecision *decision = NULL;
    HookcEngine *other = NULL;
    FAILS(HOOKC_STATUS_HANDLE, hookc_engine_new((HookcPolicy *)engine, &other, &error));
    FAILS(HOOKC_STATUS_HANDLE, hookc_engine_decide((HookcEngine *)policy, STOP, 2, NULL, &decision, &error));
    FAILS(HOOKC_STATUS_HANDLE, hookc_engine_reload(engine, (HookcPolicy *)engine, &error));
    FAILS(HOOKC_STATUS_HANDLE, hookc_engine_new((HookcPolicy *)((char *)policy + 1), &other, &error));
    CHECK(is(hookc_decision_json((HookcDecision *)policy), ""));
    hookc_policy_free((HookcPolicy *)engine); /* Left alone: the engine still works. */
    hookc_engine_free((HookcEngine *)policy);
    CHECK(decide(engine, STOP, &decision, NULL) == HOOKC_STATUS_OK);
    hookc_decision_free(decision);
}

static void text_that_is_not_utf8_and_unknown_names(HookcEngine *engine) {
    HookcPolicy *made = NULL;
    HookcDecision *decision = NULL;
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_from_yaml("a: \xff", 4, &made, &error));
    FAILS(HOOKC_STATUS_EVENT, hookc_engine_decide(engine, "{\"\xc3\"}", 5, NULL, &decision, &error));
    HookcSource source = {{"p.yaml", 6}, {yaml, sizeof yaml - 1}, {"cobol", 5}, {NULL, 0}};
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(&source, 1, NULL, &made, &error));
    source.dialect.length = 0;
    source.layer = hookc_text("roof");
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(&source, 1, NULL, &made, &error));
    source.layer = hookc_text(NULL);
    HookcCompileOptions options = {{"sometimes", 9}, 0, 0};
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_policy_compile(&source, 1, &options, &made, &error));
    HookcDecideOptions how = {{NULL, 0}, {"trees", 5}, {NULL, 0}, 0, 0};
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_decide(engine, STOP, 2, &how, &decision, &error));
    HookcDecideOptions strategy = {{NULL, 0}, {NULL, 0}, {"last", 4}, 0, 0};
    FAILS(HOOKC_STATUS_ARGUMENT, hookc_engine_decide(engine, STOP, 2, &strategy, &decision, &error));
}

static void modules_that_are_not_of_this_version(HookcPolicy *policy) {
    size_t length = 0;
    const uint8_t *module = hookc_policy_module(policy, &length);
    uint8_t *copy = malloc(length);
    HookcPolicy *made = NULL;
    memcpy(copy, module, length);
    copy[8] += 1; /* The version of the format. */
    HookcError *error = NULL;
    CHECK(hookc_policy_load(copy, length, &made, &error) == HOOKC_STATUS_MODULE);
    char version[32];
    snprintf(version, sizeof version, "format version %d", copy[8]);
    CHECK(contains(hookc_error_message(error), version));
    hookc_error_free(error);
    for (size_t at = 0; at < length; at += 7) {
        memcpy(copy, module, length);
        copy[at] ^= 0x40;
        FAILS(HOOKC_STATUS_MODULE, hookc_policy_load(copy, length, &made, &error));
        FAILS(HOOKC_STATUS_MODULE, hookc_policy_load(module, at, &made, &error));
    }
    free(copy);
}

static void an_event_beyond_the_limit(HookcEngine *engine) {
    size_t length = (16u << 20) + 1;
    char *event = malloc(length);
    memset(event, ' ', length);
    HookcDecision *decision = NULL;
    FAILS(HOOKC_STATUS_EVENT, hookc_engine_decide(engine, event, length, NULL, &decision, &error));
    free(event);
}

int main(void) {
    HookcPolicy *policy = policy_of(yaml);
    HookcEngine *engine = engine_of(yaml);
    null_pointers(engine, policy);
    lengths_that_no_memory_has(engine);
    handles_of_another_kind(engine, policy);
    text_that_is_not_utf8_and_unknown_names(engine);
    modules_that_are_not_of_this_version(policy);
    an_event_beyond_the_limit(engine);
    hookc_policy_free(policy);
    hookc_engine_free(engine);
    puts("ok");
    return 0;
}
