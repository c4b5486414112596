/* Many threads use one engine, one decision and one policy, while the policy is replaced. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 500 };

static HookcEngine *engine;
static HookcPolicy *allow, *deny;
static HookcDecision *shared;

static void *work(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        HookcDecision *decision = NULL;
        CHECK(decide(engine, STOP, &decision, NULL) == HOOKC_STATUS_OK);
        HookcText json = hookc_decision_json(decision);
        CHECK(contains(json, "{\"type\":\"allow\"}") != contains(json, "{\"type\":\"deny\"}"));
        hookc_decision_free(decision);
        CHECK(contains(hookc_decision_json(shared), "allow"));
        HookcError *error = NULL;
        CHECK(decide(engine, "{", &decision, &error) == HOOKC_STATUS_EVENT);
        hookc_error_free(error);
        CHECK(hookc_engine_reload(engine, round % 2 ? allow : deny, NULL) == HOOKC_STATUS_OK);
    }
    return NULL;
}

int main(void) {
    allow = policy_of("hooks: [{event: Stop, action: {type: allow}}]");
    deny = policy_of("hooks: [{event: Stop, action: {type: deny}}]");
    CHECK(hookc_engine_new(allow, &engine, NULL) == HOOKC_STATUS_OK);
    CHECK(decide(engine, STOP, &shared, NULL) == HOOKC_STATUS_OK);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    hookc_decision_free(shared);
    hookc_engine_free(engine);
    hookc_policy_free(allow);
    hookc_policy_free(deny);
    puts("ok");
    return 0;
}
