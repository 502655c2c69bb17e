/* Runs the program once with the shim preloaded. */
#ifndef IMGTOOL_TESTS_INJECT_RUN_PROGRAM_H
#define IMGTOOL_TESTS_INJECT_RUN_PROGRAM_H

#include "driver.h"

enum { OUTPUT_MOST = 1 << 16 };

/* Directory and files for the runs of one worker process. */
typedef struct Stage {
    const Options *options;
    int directory;  /* working directory of the program */
    char file[128]; /* path of the file that `shared` maps */
    InjectShared *shared;
    int out, err; /* files for stdout and stderr of the program */
} Stage;

typedef struct Result {
    int code;   /* exit code; -1: ended by a signal */
    int signal; /* 0: no signal */
    bool hangs;
    unsigned injected;
    int descriptor;
    bool lost; /* see InjectShared */
    size_t out_size, err_size;
    /* ends of stdout and stderr, terminated by a zero byte */
    char out[OUTPUT_MOST], err[OUTPUT_MOST];
} Result;

void stage_open(const Options *options, int number, Stage *stage);
void stage_close(Stage *stage);

/* Runs a command. If `fault` is NULL, no call fails. `one` names the process whose calls count. */
void run_words(Stage *stage, const Case *one, const char *const *words, int call,
               const Fault *fault, unsigned number, Result *result);

#endif
