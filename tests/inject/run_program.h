/* Runs the program once, with the library for LD_PRELOAD that injects faults (shim.c). */
#ifndef IMGTOOL_TESTS_INJECT_RUN_PROGRAM_H
#define IMGTOOL_TESTS_INJECT_RUN_PROGRAM_H

#include "driver.h"

enum { OUTPUT_MOST = 1 << 16 };

/* The directory and the files that one worker process uses for its runs. */
typedef struct Stage {
    const Options *options;
    int directory;  /* working directory of the program */
    char file[128]; /* path of the file that `shared` maps */
    InjectShared *shared;
    int out, err; /* descriptors of the files for stdout and stderr of the program */
} Stage;

typedef struct Result {
    /* exit code of the program; -1 if a signal ended it */
    int code;
    /* the signal that ended the program; 0 if none did */
    int signal;
    bool hangs;
    unsigned injected;
    int descriptor;
    /* true if bytes may have been lost (InjectShared) */
    bool lost;
    size_t out_size, err_size;
    /* ends of stdout and stderr, terminated by a zero byte */
    char out[OUTPUT_MOST], err[OUTPUT_MOST];
} Result;

void stage_open(const Options *options, int number, Stage *stage);
void stage_close(Stage *stage);

/* Runs a command and stores its result. Call number `number` of `call` fails with `fault`; if
 * `fault` is NULL, none fails. `one` names the process whose calls count. */
void run_words(Stage *stage, const Case *one, const char *const *words, int call,
               const Fault *fault, unsigned number, Result *result);

#endif
