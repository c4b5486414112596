/* The example of a thread with policies of its own: what it cannot count fails closed. */
#define main example
#include "../../examples/thread.c"
#undef main

static int failed(const char *what) {
    printf("%s\n", what);
    return 1;
}

static HookcEngine *engine_of(const char *yaml) {
    HookcPolicy *policy = NULL;
    HookcEngine *engine = NULL;
    if (hookc_policy_from_yaml(yaml, strlen(yaml), &policy, NULL) != HOOKC_STATUS_OK ||
        hookc_engine_new(policy, &engine, NULL) != HOOKC_STATUS_OK) {
        exit(failed("the policy is not valid"));
    }
    hookc_policy_free(policy);
    return engine;
}

/* How many retries an event gets before the thread ends, at most 10. */
static int retries_of(const HookcEngine *engine) {
    int count = 0;
    while (count < 10 && on(engine, "{\"event\": {\"type\": \"error\"}}")) count++;
    return count;
}

int main(void) {
    char yaml[2048], letters[600];
    const char *form = "hooks: [{id: '%.*s', event: error, action: {type: retry, max_attempts: 2, backoff_policy: fixed, "
                       "delay: 5}}]";
    /* The length of an id, and the retries that it gets. */
    const int sizes[][2] = {{63, 2}, {64, 0}, {100, 0}};
    memset(letters, 'a', sizeof letters);
    HookcText text = {letters, sizeof letters};
    if (number(text, "max_attempts", 3) != 0) return failed("a number of a long action is read");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(yaml, sizeof yaml, form, sizes[i][0], letters);
        HookcEngine *engine = engine_of(yaml);
        /* The second thread of events starts from 0. */
        for (int round = 0; round < 2; round++) {
            if (retries_of(engine) != sizes[i][1]) return failed("the number of retries is wrong");
        }
        hookc_engine_free(engine);
    }
    printf("ok\n");
    return 0;
}
