/* The wall clock, moved by the seconds that the file of HOOKC_TEST_CLOCK states at that moment. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *at)
{
    int failed = syscall(SYS_clock_gettime, id, at);
    const char *file = getenv("HOOKC_TEST_CLOCK");
    if (failed || id != CLOCK_REALTIME || !file)
        return failed;
    char text[32] = {0};
    int from = open(file, O_RDONLY | O_CLOEXEC);
    if (from >= 0) {
        if (read(from, text, sizeof text - 1) > 0)
            at->tv_sec += atoll(text);
        close(from);
    }
    return 0;
}
