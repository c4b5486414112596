/* A thread of an agent: hookc decides about its errors and limits, the program counts the retries of each hook.
 * See bindings/c/README.md for how to build it. */
#include "hookc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *POLICY =
    "hooks:\n"
    "  - {id: try_again, event: error, when: category == 'overloaded',\n"
    "     action: {type: retry, max_attempts: 2, backoff_policy: fixed, delay: 5}}\n"
    "  - {id: give_up, event: error, action: {type: fail, error_message: 'the model says ${category}'}}\n"
    "  - {id: budget, event: limit, action: {type: suspend, suspend_reason: budget}}\n";

/* The retries of a hook since the last success. A program with more hooks has a table. */
static struct { char hook[64]; int made; } retries;

static int is(HookcText text, const char *other) {
    return text.length == strlen(other) && memcmp(text.data, other, text.length) == 0;
}

/* A number of a flat action; a real program reads JSON with its library. */
static double number(HookcText json, const char *name, double otherwise) {
    char key[64], text[512];
    if (json.length >= sizeof text) return 0; /* Too long for this example. Fail closed: no retries. */
    snprintf(key, sizeof key, "\"%s\":", name);
    snprintf(text, sizeof text, "%.*s", (int)json.length, json.data);
    const char *found = strstr(text, key);
    return found ? atof(found + strlen(key)) : otherwise;
}

/* Counts a retry, from 1; 0 if none is left. */
static int retry(const HookcHook *hook) {
    if (hook->id.length >= sizeof retries.hook) return 0; /* Too long for this example. Fail closed. */
    if (!is(hook->id, retries.hook)) {
        snprintf(retries.hook, sizeof retries.hook, "%.*s", (int)hook->id.length, hook->id.data);
        retries.made = 0;
    }
    if (retries.made < (int)number(hook->action, "max_attempts", 3)) return ++retries.made;
    retries.made = 0; /* The next event starts again. */
    return 0;
}

/* Does what the policy says about an event; 0 if the thread ends or waits. */
static int on(const HookcEngine *engine, const char *event) {
    HookcDecision *decision = NULL;
    HookcError *error = NULL;
    if (hookc_engine_decide(engine, event, strlen(event), NULL, &decision, &error) != HOOKC_STATUS_OK) {
        HookcText why = hookc_error_message(error);
        printf("nothing can be decided: %.*s\n", (int)why.length, why.data); /* Fail closed. */
        hookc_error_free(error);
        return 0;
    }
    HookcHook hook;
    int continues = 1;
    if (hookc_decision_hook_count(decision) == 0) {
        printf("no opinion\n");
    } else if (hookc_decision_hook(decision, 0, &hook, NULL) != HOOKC_STATUS_OK || hook.action_error.length > 0) {
        printf("the action has failed\n"); /* Fail closed. */
        continues = 0;
    } else if (is(hook.action_type, "retry")) {
        continues = retry(&hook);
        if (continues) printf("retry %d in %g s\n", continues, number(hook.action, "delay", 1));
        else printf("fail: no retry is left\n");
    } else {
        continues = is(hook.action_type, "continue");
        printf("%.*s\n", (int)hook.action.length, hook.action.data);
    }
    hookc_decision_free(decision);
    return continues;
}

int main(void) {
    HookcPolicy *policy = NULL;
    HookcEngine *engine = NULL;
    HookcError *error = NULL;
    if (hookc_policy_from_yaml(POLICY, strlen(POLICY), &policy, &error) != HOOKC_STATUS_OK ||
        hookc_engine_new(policy, &engine, &error) != HOOKC_STATUS_OK) {
        HookcText why = hookc_error_rendered(error);
        fprintf(stderr, "%.*s\n", (int)why.length, why.data);
        return 1;
    }
    const char *overloaded = "{\"event\": {\"type\": \"error\"}, \"category\": \"overloaded\"}";
    while (on(engine, overloaded)) {
    }
    retries.made = 0; /* What was tried again has worked. */
    on(engine, overloaded);
    on(engine, "{\"event\": {\"type\": \"error\"}, \"category\": \"auth\"}");
    on(engine, "{\"event\": {\"type\": \"limit\"}}");
    on(engine, "{\"event\": {\"type\": \"after_step\"}}");
    hookc_engine_free(engine);
    hookc_policy_free(policy);
    return 0;
}
