/* The cost of a decision in C: `bench MODULE EVENT`, nanoseconds each, best of five rounds. */
#define _POSIX_C_SOURCE 199309L
#include "hookc.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5, DECISIONS = 100000 };

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) exit(2);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length) exit(2);
    fclose(file);
    return bytes;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double best(const HookcEngine *engine, const char *event, size_t length, int json) {
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < DECISIONS; i++) {
            HookcDecision *decision;
            if (hookc_engine_decide(engine, event, length, NULL, &decision, NULL) != HOOKC_STATUS_OK) exit(2);
            if (json && hookc_decision_json(decision).length == 0) exit(2);
            hookc_decision_free(decision);
        }
        double each = (now() - start) / DECISIONS;
        if (each < best) best = each;
    }
    return best;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    size_t module_length, length;
    char *module = read_file(arguments[1], &module_length), *event = read_file(arguments[2], &length);
    HookcPolicy *policy;
    HookcEngine *engine;
    if (hookc_policy_load((const uint8_t *)module, module_length, &policy, NULL) != HOOKC_STATUS_OK) return 2;
    if (hookc_engine_new(policy, &engine, NULL) != HOOKC_STATUS_OK) return 2;
    printf("C, JSON of the decision: %.0f ns\n", best(engine, event, length, 1));
    printf("C, hooks of the decision: %.0f ns\n", best(engine, event, length, 0));
    hookc_engine_free(engine);
    hookc_policy_free(policy);
    free(module);
    free(event);
    return 0;
}
