/* Declarations that the parts of the driver share: command lines, faults and results. */
#ifndef IMGTOOL_TESTS_INJECT_DRIVER_H
#define IMGTOOL_TESTS_INJECT_DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "shim.h"

enum { WORDS_MOST = 16, INPUTS_MOST = 8, FAULTS_MOST = 6 };

/* A command line into which faults are injected. It runs in a directory of its own, which contains
 * its inputs. */
typedef struct Case {
    const char *name, *group;
    const char *program; /* name of the process whose calls fail; NULL: imgtool */
    /* names of samples, or "NAME=PATH" for a copy at another path */
    const char *inputs[INPUTS_MOST];
    /* command that runs once before, without faults; may be empty */
    const char *before[WORDS_MOST];
    const char *words[WORDS_MOST];
    /* command that must complete the work afterwards, without faults; may be empty */
    const char *resume[WORDS_MOST];
    int code; /* exit code of a run without faults */
    /* the command is a batch: single files may fail, and stdout contains times */
    bool is_batch;
    /* a library draws the output; if it cannot read a font file, it may use another font */
    bool may_draw_otherwise;
    /* number of call numbers of which one is tried, because there are very many; 0: all are tried.
     * stays_share applies to faults that stay */
    unsigned share, stays_share;
} Case;

extern const Case cases[];
extern const size_t case_count;

/* A way in which a call fails. */
typedef struct Fault {
    const char *name;
    int code;   /* errno of the failing call, or INJECT_SHORT */
    bool stays; /* all later calls of this kind fail too */
} Fault;

/* Returns all faults of a call, in an array that ends with an element without a name. */
const Fault *faults_of(int call);
const Fault *faults_that_lie(void);
const char *call_name(int call);

/* Returns true if the call affects the content of a file. There are few such calls, and a share
 * always includes the first ones. */
bool call_is_vital(int call);

/* Options of the driver. */
typedef struct Options {
    const char *program, *shim, *samples;
    const char *extra; /* an additional argument for the program, such as --no-sandbox, or NULL */
    const char *one;   /* only this command; NULL: all */
    const char *group; /* only these groups, separated by commas; NULL: all */
    const char *call;  /* only this call; NULL: all */
    const char *fault; /* only this fault; NULL: all */
    unsigned number;   /* only this call number; 0: all */
    unsigned share;    /* number of call numbers of which `seed` chooses one */
    unsigned long seed;
    int workers;
    /* for a self-test: failing calls report success, and the driver must notice the wrong result */
    bool lies;
    bool every;     /* try all call numbers, even in a case that has a share of its own */
    bool sanitizer; /* the program is built with AddressSanitizer */
    bool show;      /* print the messages of the program and the origin of the call */
} Options;

/* Counts for one kind of fault. */
typedef struct Counts {
    atomic_uint runs, done, refused, wrong;
} Counts;

#endif
