/* One run of the program with the shim before it. */
#ifndef IMGTOOL_TESTS_INJECT_RUN_H
#define IMGTOOL_TESTS_INJECT_RUN_H

#include "driver.h"

enum { OUTPUT_MOST = 1 << 16 };

/* Where the runs of a worker take place. */
typedef struct Stage {
    const Options *options;
    int directory;  /* of the program, in which it runs */
    char file[128]; /* that of `shared` */
    InjectShared *shared;
    int out, err; /* what the program says */
} Stage;

typedef struct Result {
    int code;   /* -1: ended by a signal */
    int signal; /* 0: none */
    bool hangs;
    unsigned injected;
    int descriptor;
    bool lost; /* see InjectShared */
    size_t out_size, err_size;
    char out[OUTPUT_MOST], err[OUTPUT_MOST]; /* with a zero at the end */
} Result;

void stage_open(const Options *options, int number, Stage *stage);
void stage_close(Stage *stage);

/* `fault` NULL: nothing fails. `case` says whose calls count. */
void run_words(Stage *stage, const Case *one, const char *const *words, int call,
               const Fault *fault, unsigned number, Result *result);

#endif
