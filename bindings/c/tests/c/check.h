/* Assertions that stay on with NDEBUG, and short forms for texts. */
#ifndef CHECK_H
#define CHECK_H
#include "hookc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                    \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

static inline int is(HookcText text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0;
}

static inline int contains(HookcText text, const char *part) {
    size_t length = strlen(part);
    for (size_t at = 0; at + length <= text.length; at++)
        if (memcmp(text.data + at, part, length) == 0) return 1;
    return 0;
}

/* A policy that compiles. */
static inline HookcPolicy *policy_of(const char *yaml) {
    HookcPolicy *policy = NULL;
    HookcError *error = NULL;
    HookcStatus status = hookc_policy_from_yaml(yaml, strlen(yaml), &policy, &error);
    if (status != HOOKC_STATUS_OK) {
        HookcText text = hookc_error_rendered(error);
        fprintf(stderr, "%.*s\n", (int)text.length, text.data);
        exit(1);
    }
    CHECK(error == NULL && policy != NULL);
    return policy;
}

static inline HookcEngine *engine_of(const char *yaml) {
    HookcPolicy *policy = policy_of(yaml);
    HookcEngine *engine = NULL;
    CHECK(hookc_engine_new(policy, &engine, NULL) == HOOKC_STATUS_OK);
    hookc_policy_free(policy);
    return engine;
}

static inline HookcStatus decide(const HookcEngine *engine, const char *event, HookcDecision **decision,
                                 HookcError **error) {
    return hookc_engine_decide(engine, event, strlen(event), NULL, decision, error);
}

#define STOP "{\"hook_event_name\": \"Stop\", \"why\": \"tests\"}"
#endif
