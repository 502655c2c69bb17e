/* Between imgtool and the CUDA runtime (linked with --wrap): counts calls by class, and makes one
 * or more of them fail. From the environment, for programs that know nothing of it:
 *   DEVICE_FAILS=CLASS:once|on|broken:N   as failing_calls_set, N from 1 on
 *   DEVICE_TELLS=FILE   gets, when the process ends, the number of calls of each class, whether N
 *       was reached, and what was taken and not given back */
#ifndef IMGTOOL_TESTS_DEVICE_FAILING_CALLS_H
#define IMGTOOL_TESTS_DEVICE_FAILING_CALLS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CallClass {
    ANY, /* of all */
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

/* Call `at` only; all of the class from there on; all calls whatsoever, as after an illegal
 * address. */
typedef enum FailingMode { ONCE, ON, BROKEN } FailingMode;

/* What is to be given back. */
typedef enum TakenThing { MEMORY, HOST_MEMORY, PINNED, EVENTS, STREAMS, TAKEN_THINGS } TakenThing;

/* Begins to count anew. at 0: nothing fails. */
void failing_calls_set(CallClass fails, FailingMode mode, unsigned long at);
unsigned long failing_calls_made(CallClass of);
/* Taken and not given back since then. */
long failing_calls_held(TakenThing thing);
const char *failing_calls_name(CallClass of);

/* Before a launch: cudaSuccess, or what becomes of it. */
cudaError_t failing_calls_launch(void);

#ifdef __cplusplus
}
#endif
#endif
