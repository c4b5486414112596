/* What the functions do when they are used as documented. */
#include "check.h"

static void a_decision_has_its_hooks(void) {
    HookcEngine *engine = engine_of("hooks:\n"
                                    "  - {id: no, event: Stop, on_failure: closed, action: {type: deny, reason: '${why}'}}\n"
                                    "  - {id: seen, event: Stop, mode: warn, action: {type: deny}}\n");
    HookcDecision *decision = NULL;
    HookcError *error = NULL;
    CHECK(decide(engine, STOP, &decision, &error) == HOOKC_STATUS_OK);
    hookc_engine_free(engine); /* A decision owns its texts. */
    CHECK(is(hookc_decision_event(decision), "Stop"));
    CHECK(hookc_decision_hook_count(decision) == 1 && hookc_decision_reported_count(decision) == 1);
    HookcHook hook;
    CHECK(hookc_decision_hook(decision, 0, &hook, NULL) == HOOKC_STATUS_OK);
    CHECK(is(hook.id, "no") && is(hook.mode, "enforce") && is(hook.layer, "directive"));
    CHECK(is(hook.on_failure, "closed") && is(hook.on_error, ""));
    CHECK(is(hook.action_type, "deny") && is(hook.action, "{\"type\":\"deny\",\"reason\":\"tests\"}"));
    CHECK(is(hook.action_error, "") && is(hook.file, "policy.yaml") && hook.line == 2 && hook.column == 5);
    CHECK(hookc_decision_reported(decision, 0, &hook, NULL) == HOOKC_STATUS_OK);
    CHECK(is(hook.id, "seen") && is(hook.mode, "warn") && hook.rank == 1);
    CHECK(hookc_decision_hook(decision, 1, &hook, &error) == HOOKC_STATUS_ARGUMENT);
    CHECK(is(hookc_error_message(error), "there is no hook 1 of 1"));
    hookc_error_free(error);
    HookcText json = hookc_decision_json(decision);
    CHECK(contains(json, "{\"event\":\"Stop\",\"decision\":[{\"hook\":\"no\",\"source\":\"policy.yaml:2:5\","));
    CHECK(contains(json, ",\"family\":\"agent\",\"strategy\":\"all\"}"));
    CHECK(hookc_decision_json(decision).data == json.data);
    hookc_decision_free(decision);
}

static void a_misspelt_event_type_is_found(void) {
    HookcEngine *engine = engine_of("hooks: [{event: PreToolUse, action: {type: deny}}]");
    const char *names[][2] = {
        {"PreTolUse", "PreToolUse"}, {"BeforeTool", "PreToolUse"}, {"PreToolUse", ""}, {"PostToolUse", ""}, {"deployed", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char event[64];
        snprintf(event, sizeof event, "{\"hook_event_name\": \"%s\"}", names[i][0]);
        HookcDecision *decision = NULL;
        CHECK(decide(engine, event, &decision, NULL) == HOOKC_STATUS_OK);
        CHECK(is(hookc_decision_misspelt_event(decision), names[i][1]));
        hookc_decision_free(decision);
    }
    CHECK(is(hookc_decision_misspelt_event(NULL), ""));
    hookc_engine_free(engine);
}

static void an_error_has_its_text_and_location(void) {
    const char *yaml = "hooks:\n  - {event: Stop, action: {type: dney}}\n";
    HookcPolicy *policy = NULL;
    HookcError *error = NULL;
    CHECK(hookc_policy_from_yaml(yaml, strlen(yaml), &policy, &error) == HOOKC_STATUS_POLICY);
    CHECK(policy == NULL && hookc_error_status(error) == HOOKC_STATUS_POLICY);
    CHECK(is(hookc_error_file(error), "policy.yaml"));
    CHECK(hookc_error_line(error) == 2 && hookc_error_column(error) == 34);
    CHECK(is(hookc_error_code(error), "E0406") && contains(hookc_error_message(error), "dney"));
    CHECK(contains(hookc_error_rendered(error), "did you mean `deny`?"));
    CHECK(contains(hookc_error_diagnostics(error), "\"code\":\"E0406\""));
    hookc_error_free(error);

    HookcEngine *engine = engine_of("hooks: [{event: Stop, action: {type: allow}}]");
    HookcDecision *decision = NULL;
    CHECK(decide(engine, "{\"a\":\n }", &decision, &error) == HOOKC_STATUS_EVENT);
    CHECK(decision == NULL && is(hookc_error_file(error), "event"));
    CHECK(is(hookc_error_code(error), "syntax"));
    CHECK(hookc_error_line(error) == 2 && hookc_error_column(error) == 2);
    CHECK(is(hookc_error_diagnostics(error), "[]"));
    hookc_error_free(error);
    CHECK(decide(engine, "{}", &decision, &error) == HOOKC_STATUS_EVENT);
    CHECK(is(hookc_error_code(error), "no_type"));
    CHECK(hookc_error_line(error) == 0 && is(hookc_error_file(error), ""));
    hookc_error_free(error);
    hookc_engine_free(engine);
}

static void an_action_that_cannot_be_rendered_has_its_error(void) {
    HookcEngine *engine = engine_of(
        "hooks: [{event: limit, action: {type: escalate, target: both, timeout_seconds: '${limit_value}'}}]");
    HookcDecision *decision = NULL;
    HookcHook hook;
    CHECK(decide(engine, "{\"event\": {\"type\": \"limit\"}, \"limit_value\": \"x\"}", &decision, NULL) == HOOKC_STATUS_OK);
    CHECK(hookc_decision_hook(decision, 0, &hook, NULL) == HOOKC_STATUS_OK);
    CHECK(is(hook.action_type, "escalate") && is(hook.action, ""));
    CHECK(contains(hook.action_error, "the action cannot be rendered: "));
    hookc_decision_free(decision);
    hookc_engine_free(engine);
}

static void sources_have_dialects_layers_and_options(void) {
    HookcSource sources[2];
    memset(sources, 0, sizeof sources);
    sources[0].name = hookc_text("user.yaml");
    sources[0].text = hookc_text("hooks: [{id: a, event: Stop, action: {type: allow}}]");
    sources[0].layer = hookc_text("user");
    sources[1].name = hookc_text("settings.json");
    sources[1].text =
        hookc_text("{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}}");
    sources[1].dialect = hookc_text("settings");
    sources[1].layer = hookc_text("project");
    HookcPolicy *policy = NULL;
    HookcError *error = NULL;
    CHECK(hookc_policy_compile(sources, 2, NULL, &policy, &error) == HOOKC_STATUS_OK);
    CHECK(is(hookc_policy_diagnostics(policy), "[]") && is(hookc_policy_warnings(policy), ""));
    size_t length = 0;
    const uint8_t *module = hookc_policy_module(policy, &length);
    HookcPolicy *loaded = NULL;
    CHECK(module && hookc_policy_load(module, length, &loaded, &error) == HOOKC_STATUS_OK);
    hookc_policy_free(policy);
    HookcEngine *engine = NULL;
    CHECK(hookc_engine_new(loaded, &engine, NULL) == HOOKC_STATUS_OK);
    HookcDecision *decision = NULL;
    CHECK(decide(engine, STOP, &decision, NULL) == HOOKC_STATUS_OK);
    HookcHook hook;
    CHECK(hookc_decision_hook(decision, 0, &hook, NULL) == HOOKC_STATUS_OK && is(hook.layer, "project"));
    hookc_decision_free(decision);

    HookcDecideOptions options;
    memset(&options, 0, sizeof options);
    options.event = hookc_text("Stop");
    options.family = hookc_text("agent");
    options.strategy = hookc_text("first");
    CHECK(hookc_engine_decide(engine, "{}", 2, &options, &decision, NULL) == HOOKC_STATUS_OK);
    CHECK(hookc_decision_hook_count(decision) == 1);
    hookc_decision_free(decision);
    options.has_after = 1;
    options.after = 0;
    CHECK(hookc_engine_decide(engine, "{}", 2, &options, &decision, NULL) == HOOKC_STATUS_OK);
    CHECK(hookc_decision_hook(decision, 0, &hook, NULL) == HOOKC_STATUS_OK && is(hook.id, "a"));
    hookc_decision_free(decision);

    HookcCompileOptions strict;
    memset(&strict, 0, sizeof strict);
    strict.shipped_hooks = hookc_text("threads");
    strict.strict = 2; /* Any number but 0. */
    sources[0].text = hookc_text("hooks: [{event: Stopp, action: {type: allow}}]");
    policy = NULL;
    CHECK(hookc_policy_compile(sources, 1, &strict, &policy, &error) == HOOKC_STATUS_POLICY && policy == NULL);
    hookc_error_free(error);
    hookc_policy_free(loaded);
    hookc_engine_free(engine);
}

static void a_policy_is_replaced(void) {
    HookcEngine *engine = engine_of("hooks: [{event: Stop, action: {type: allow}}]");
    HookcPolicy *policy = policy_of("hooks: [{event: Stop, action: {type: deny}}]");
    CHECK(hookc_engine_reload(engine, policy, NULL) == HOOKC_STATUS_OK);
    hookc_policy_free(policy);
    HookcDecision *decision = NULL;
    CHECK(decide(engine, STOP, &decision, NULL) == HOOKC_STATUS_OK);
    CHECK(contains(hookc_decision_json(decision), "\"action\":{\"type\":\"deny\"}"));
    hookc_decision_free(decision);
    hookc_engine_free(engine);
}

int main(void) {
    CHECK(strcmp(hookc_version(), VERSION) == 0);
    a_decision_has_its_hooks();
    a_misspelt_event_type_is_found();
    an_error_has_its_text_and_location();
    an_action_that_cannot_be_rendered_has_its_error();
    sources_have_dialects_layers_and_options();
    a_policy_is_replaced();
    puts("ok");
    return 0;
}
