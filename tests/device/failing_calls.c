#include "tests/device/failing_calls.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For each class of calls, its name and the error that its calls return. */
static const struct {
    const char *name;
    cudaError_t code;
} classes[CALL_CLASSES] = {
    [ANY] = {"any", cudaErrorUnknown},
    [SET_UP] = {"set-up", cudaErrorDevicesUnavailable},
    [ASK] = {"ask", cudaErrorInvalidDeviceFunction},
    [ALLOCATE] = {"allocate", cudaErrorMemoryAllocation},
    [COPY] = {"copy", cudaErrorUnknown},
    [LAUNCH] = {"launch", cudaErrorLaunchOutOfResources},
    [SYNCHRONISE] = {"synchronise", cudaErrorLaunchFailure},
    [EVENT] = {"event", cudaErrorUnknown},
    [RELEASE] = {"release", cudaErrorUnknown},
};

static const char *const thing_names[TAKEN_THINGS] = {"memory", "host-memory", "pinned", "events",
                                                      "streams"};

static struct {
    pthread_mutex_t mutex;
    /* `calls`: number of calls of each class so far. `at`: which call of class `fails` must fail,
     * counted from 1; 0: none */
    unsigned long calls[CALL_CLASSES], at;
    long held[TAKEN_THINGS];
    size_t largest; /* size of the largest allocation of device memory that may succeed */
    CallClass fails;
    FailingMode mode;
    bool reached, broken;
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER, .largest = SIZE_MAX};

/* The file for the counts. It is opened at the start, because the sandbox of the program may forbid
 * it later. */
static FILE *told;

/* The latest error of the thread. As in the runtime, it stays until it is read. */
static _Thread_local cudaError_t pending;

/* --- Settings and output ---------------------------------------------------------------------- */

static void refuse(const char *text)
{
    fprintf(stderr, "failing_calls: DEVICE_FAILS=%s\n", text);
    abort();
}

__attribute__((constructor)) static void read_settings(void)
{
    static const char *const modes[] = {[ONCE] = "once", [ON] = "on", [BROKEN] = "broken"};
    const char *text = getenv("DEVICE_FAILS"), *path = getenv("DEVICE_TELLS");
    const char *largest = getenv("DEVICE_LARGEST");
    char name[16], mode[16];
    told = path != NULL ? fopen(path, "ae") : NULL;
    if (largest != NULL)
        state.largest = strtoul(largest, NULL, 10);
    if (text == NULL)
        return;
    if (sscanf(text, "%15[^:]:%15[^:]:%lu", name, mode, &state.at) != 3)
        refuse(text);
    while (state.fails < CALL_CLASSES && strcmp(name, classes[state.fails].name) != 0)
        state.fails++;
    while (state.mode <= BROKEN && strcmp(mode, modes[state.mode]) != 0)
        state.mode++;
    if (state.fails == CALL_CLASSES || state.mode > BROKEN)
        refuse(text);
}

__attribute__((destructor)) static void tell(void)
{
    if (told == NULL)
        return;
    for (int i = 0; i < CALL_CLASSES; i++)
        fprintf(told, "%s=%lu ", classes[i].name, state.calls[i]);
    for (int i = 0; i < TAKEN_THINGS; i++)
        fprintf(told, "%s=%ld ", thing_names[i], state.held[i]);
    fprintf(told, "reached=%d\n", state.reached);
    fclose(told);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Counts a call of this class. Returns the error with which it must fail, or cudaSuccess. The
 * caller holds the mutex. */
static cudaError_t count(CallClass class)
{
    const unsigned long of_class = ++state.calls[class], of_all = ++state.calls[ANY];
    const unsigned long number = state.fails == ANY ? of_all : of_class;
    const bool is_meant = state.at > 0 && (state.fails == ANY || state.fails == class);
    const bool fails = is_meant && (state.mode == ON ? number >= state.at : number == state.at);
    state.reached |= fails;
    state.broken |= fails && state.mode == BROKEN;
    if (state.broken)
        return cudaErrorIllegalAddress;
    return fails ? classes[class].code : cudaSuccess;
}

static cudaError_t before(CallClass class)
{
    pthread_mutex_lock(&state.mutex);
    const cudaError_t code = count(class);
    pthread_mutex_unlock(&state.mutex);
    if (code != cudaSuccess)
        pending = code;
    return code;
}

/* Works like `before`, but also fails if `bytes`, the size of an allocation, exceeds state.largest.
 */
static cudaError_t before_bytes(CallClass class, size_t bytes)
{
    const cudaError_t code = before(class);
    if (code == cudaSuccess && bytes > state.largest)
        pending = cudaErrorMemoryAllocation;
    return code == cudaSuccess && bytes > state.largest ? cudaErrorMemoryAllocation : code;
}

static void hold(TakenThing thing, long more)
{
    pthread_mutex_lock(&state.mutex);
    state.held[thing] += more;
    pthread_mutex_unlock(&state.mutex);
}

void failing_calls_set(CallClass fails, FailingMode mode, unsigned long at)
{
    pthread_mutex_lock(&state.mutex);
    memset(state.calls, 0, sizeof state.calls);
    memset(state.held, 0, sizeof state.held);
    state.fails = fails;
    state.mode = mode;
    state.at = at;
    state.reached = state.broken = false;
    pending = cudaSuccess;
    pthread_mutex_unlock(&state.mutex);
}

unsigned long failing_calls_made(CallClass of)
{
    pthread_mutex_lock(&state.mutex);
    const unsigned long made = state.calls[of];
    pthread_mutex_unlock(&state.mutex);
    return made;
}

long failing_calls_held(TakenThing thing)
{
    pthread_mutex_lock(&state.mutex);
    const long held = state.held[thing];
    pthread_mutex_unlock(&state.mutex);
    return held;
}

const char *failing_calls_name(CallClass of)
{
    return classes[of].name;
}

/* Counts a launch, and returns an error if it must not happen. After a failure no kernel is
 * launched, as with IMG_LAUNCH. */
cudaError_t failing_calls_launch(void)
{
    return pending != cudaSuccess ? pending : before(LAUNCH);
}

/* NOLINTBEGIN: the linker makes these names, and each calls one function of the runtime */
#define CALL(CLASS, name, parameters, arguments)                                                   \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        const cudaError_t code = before(CLASS);                                                    \
        return code == cudaSuccess ? __real_##name arguments : code;                               \
    }

/* Waits even if the call must fail. The program can then rely on it that no queued work is pending,
 * as after a real failure of the whole queue. */
#define WAIT(CLASS, name, parameters, arguments)                                                   \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        const cudaError_t code = before(CLASS), really = __real_##name arguments;                  \
        return code != cudaSuccess ? code : really;                                                \
    }

#define TAKE(CLASS, THING, name, parameters, arguments)                                            \
    TAKE_AFTER(before(CLASS), THING, name, parameters, arguments)
#define TAKE_BYTES(CLASS, THING, name, parameters, arguments)                                      \
    TAKE_AFTER(before_bytes(CLASS, bytes), THING, name, parameters, arguments)
#define TAKE_AFTER(first, THING, name, parameters, arguments)                                      \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        cudaError_t code = first;                                                                  \
        if (code == cudaSuccess)                                                                   \
            code = __real_##name arguments;                                                        \
        if (code == cudaSuccess)                                                                   \
            hold(THING, 1);                                                                        \
        return code;                                                                               \
    }

/* Releases the resource even if the call must fail, as a release that reports an earlier error
 * does. Pinned pages are the exception: the driver may still write to them, so their owner must
 * keep them. */
#define GIVE(THING, name, type)                                                                    \
    cudaError_t __real_##name(type given);                                                         \
    cudaError_t __wrap_##name(type given);                                                         \
    cudaError_t __wrap_##name(type given)                                                          \
    {                                                                                              \
        const cudaError_t code = before(RELEASE);                                                  \
        if (code != cudaSuccess && THING == PINNED)                                                \
            return code;                                                                           \
        const cudaError_t really = __real_##name(given);                                           \
        if (really == cudaSuccess && given != NULL)                                                \
            hold(THING, -1);                                                                       \
        return code != cudaSuccess ? code : really;                                                \
    }

#include "tests/device/cuda_calls.h"

/* Returns the latest error of this thread. After a failure in mode BROKEN it is always the illegal
 * address. */
static cudaError_t latest(void)
{
    pthread_mutex_lock(&state.mutex);
    const bool broken = state.broken;
    pthread_mutex_unlock(&state.mutex);
    return broken ? cudaErrorIllegalAddress : pending;
}

cudaError_t __real_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void)
{
    const cudaError_t really = __real_cudaGetLastError(), code = latest();
    pending = cudaSuccess;
    return code != cudaSuccess ? code : really;
}

#ifndef IMGTOOL_EMULATOR
cudaError_t __real_cudaPeekAtLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void)
{
    const cudaError_t code = latest();
    return code != cudaSuccess ? code : __real_cudaPeekAtLastError();
}
#endif
/* NOLINTEND */
