/* Declarations that the files of the driver share: command lines, faults and results. The driver
 * runs a program and injects faults into it. */
#ifndef IMGTOOL_TESTS_INJECT_DRIVER_H
#define IMGTOOL_TESTS_INJECT_DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "shim.h"

enum { WORDS_MOST = 16, INPUTS_MOST = 8, FAULTS_MOST = 6 };

/* A command line into which faults are injected. It runs in a directory of its own that contains
 * its inputs. */
typedef struct Case {
    const char *name, *group;
    const char *program; /* name of the process whose calls fail; NULL for imgtool */
    /* names of samples; "NAME=PATH" is a copy of sample NAME at another path */
    const char *inputs[INPUTS_MOST];
    /* a command that runs once before, without faults; may be empty */
    const char *before[WORDS_MOST];
    const char *words[WORDS_MOST];
    /* a command that runs afterwards without faults and must complete the work; may be empty */
    const char *resume[WORDS_MOST];
    int code; /* exit code of the command in a run without faults */
    /* true for a batch: single files may fail, and stdout contains times */
    bool is_batch;
    /* true if a library draws the output; it may use another font if it cannot read a font file */
    bool may_draw_otherwise;
    /* Only one of every `share` call numbers is tried, because there are very many; 0 tries all.
     * `stays_share` is the same for faults that stay. */
    unsigned share, stays_share;
} Case;

extern const Case cases[];
extern const size_t case_count;

/* A way in which a call fails. */
typedef struct Fault {
    const char *name;
    int code;   /* errno of the failing call, INJECT_SHORT or INJECT_LIE */
    bool stays; /* true if all later calls of the same kind fail, too */
} Fault;

/* Returns all faults of a call. The array ends with an element without a name. */
const Fault *faults_of(int call);
const Fault *faults_that_lie(void);
const char *call_name(int call);

/* Returns true if the call affects the content of a file. There are few calls of this kind, so the
 * first ones are always tried, even if only a share of call numbers is. */
bool call_is_vital(int call);

/* Options of the driver, the program that runs imgtool and injects faults. */
typedef struct Options {
    const char *program, *shim, *samples;
    const char *extra; /* an additional argument for the program, such as --no-sandbox, or NULL */
    const char *one;   /* the only command to try; NULL for all */
    const char *group; /* the only groups to try, separated by commas; NULL for all */
    const char *call;  /* the only call to try; NULL for all */
    const char *fault; /* the only fault to try; NULL for all */
    unsigned number;   /* the only call number to try; 0 for all */
    unsigned share;    /* `seed` chooses one of every `share` call numbers */
    unsigned long seed;
    int workers;
    /* for the self-test: failing calls report success, and the driver must notice the wrong
     * result */
    bool lies;
    /* true: try all call numbers, even in a case that has a share of its own */
    bool every;
    /* true if the program is built with AddressSanitizer */
    bool sanitizer;
    /* true: print the messages of the program and the origin of the failing call */
    bool show;
} Options;

/* Numbers of runs with one kind of fault, by their result. */
typedef struct Counts {
    atomic_uint runs, done, refused, wrong;
} Counts;

#endif
