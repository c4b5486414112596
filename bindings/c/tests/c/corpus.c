/* corpus POLICY MODULE EVENTS: a decision per line of EVENTS, by the module and by the policy compiled
 * here, which must agree; the decisions go to standard output, as the reference has them. */
#include "check.h"

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    CHECK(file && fseek(file, 0, SEEK_END) == 0);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    CHECK(bytes && fread(bytes, 1, *length, file) == *length);
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

static HookcEngine *engine(HookcStatus status, HookcPolicy *policy, HookcError *error) {
    HookcEngine *engine = NULL;
    if (status != HOOKC_STATUS_OK) {
        HookcText text = hookc_error_rendered(error);
        fprintf(stderr, "%.*s\n", (int)text.length, text.data);
        exit(1);
    }
    CHECK(hookc_engine_new(policy, &engine, NULL) == HOOKC_STATUS_OK);
    hookc_policy_free(policy);
    return engine;
}

/* The decision, or the message of its error; the handle that it belongs to goes to `decision` or `error`. */
static HookcText line_of(const HookcEngine *engine, const char *event, size_t length, HookcDecision **decision,
                         HookcError **error) {
    HookcStatus status = hookc_engine_decide(engine, event, length, NULL, decision, error);
    CHECK(status == HOOKC_STATUS_OK || status == HOOKC_STATUS_EVENT);
    return status == HOOKC_STATUS_OK ? hookc_decision_json(*decision) : hookc_error_message(*error);
}

int main(int count, char **arguments) {
    CHECK(count == 4);
    size_t policy_length, module_length, length;
    const char *slash = strrchr(arguments[1], '/');
    char *text = read_file(arguments[1], &policy_length);
    char *module = read_file(arguments[2], &module_length);
    char *events = read_file(arguments[3], &length);
    HookcSource source = {hookc_text(slash + 1), {text, policy_length}, {NULL, 0}, {NULL, 0}};
    HookcCompileOptions options = {hookc_text("always"), 0, 0};
    HookcPolicy *policy = NULL;
    HookcError *error = NULL;
    HookcStatus status = hookc_policy_compile(&source, 1, &options, &policy, &error);
    HookcEngine *compiled = engine(status, policy, error);
    status = hookc_policy_load((const uint8_t *)module, module_length, &policy, &error);
    HookcEngine *loaded = engine(status, policy, error);
    free(module);
    free(text);
    for (char *line = events, *end; line < events + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(events + length - line));
        if (!end) end = events + length;
        if (end == line) continue;
        HookcDecision *decisions[2] = {NULL, NULL};
        HookcError *errors[2] = {NULL, NULL};
        HookcText one = line_of(compiled, line, (size_t)(end - line), &decisions[0], &errors[0]);
        HookcText two = line_of(loaded, line, (size_t)(end - line), &decisions[1], &errors[1]);
        CHECK(one.length == two.length && memcmp(one.data, two.data, one.length) == 0);
        printf("%s%.*s\n", decisions[0] ? "" : "! ", (int)one.length, one.data);
        for (int i = 0; i < 2; i++) {
            hookc_decision_free(decisions[i]);
            hookc_error_free(errors[i]);
        }
    }
    free(events);
    hookc_engine_free(compiled);
    hookc_engine_free(loaded);
    return 0;
}
