/* Wraps the calls of imgtool to the CUDA runtime (linked with --wrap): counts them by class and
 * makes one or more of them fail. Programs that do not call the functions below are controlled
 * by the environment:
 *   DEVICE_FAILS=CLASS:once|on|broken:N   as failing_calls_set, N from 1
 *   DEVICE_LARGEST=BYTES   no allocation of device memory may be larger
 *   DEVICE_TELLS=FILE   receives, when the process ends, the number of calls of each class,
 *       whether call N was reached, and the resources that were not released */
#ifndef IMGTOOL_TESTS_DEVICE_FAILING_CALLS_H
#define IMGTOOL_TESTS_DEVICE_FAILING_CALLS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CallClass {
    ANY, /* calls of all classes together */
    SET_UP,
    ASK,
    ALLOCATE,
    COPY,
    LAUNCH,
    SYNCHRONISE,
    EVENT,
    RELEASE,
    CALL_CLASSES
} CallClass;

/* ONCE makes only call number `at` of the class fail. ON makes that call and all later calls of the
 * class fail. BROKEN makes that call and all later calls of any class fail, as after an illegal
 * address. */
typedef enum FailingMode { ONCE, ON, BROKEN } FailingMode;

/* Kinds of resources that calls allocate. */
typedef enum TakenThing { MEMORY, HOST_MEMORY, PINNED, EVENTS, STREAMS, TAKEN_THINGS } TakenThing;

/* Resets all counters. Then makes call number `at` of class `fails` fail, as `mode` says. If `at`
 * is 0, no call fails. */
void failing_calls_set(CallClass fails, FailingMode mode, unsigned long at);
unsigned long failing_calls_made(CallClass of);
/* Returns how many resources of this kind were allocated and not released since the counters were
 * reset. */
long failing_calls_held(TakenThing thing);
const char *failing_calls_name(CallClass of);

/* Must be called before each launch. Returns cudaSuccess, or the error with which the launch must
 * fail. */
cudaError_t failing_calls_launch(void);

#ifdef __cplusplus
}
#endif
#endif
