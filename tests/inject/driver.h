/* What the parts of the driver share: commands, faults, results. */
#ifndef IMGTOOL_TESTS_INJECT_DRIVER_H
#define IMGTOOL_TESTS_INJECT_DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "shim.h"

enum { WORDS_MOST = 16, INPUTS_MOST = 8, FAULTS_MOST = 6 };

/* A command line that is disturbed. It runs in a directory of its own, where its inputs lie. */
typedef struct Case {
    const char *name, *group;
    const char *program;             /* the process whose calls fail; NULL: imgtool */
    const char *inputs[INPUTS_MOST]; /* "name of a sample", or "name of a sample=path" */
    const char *before[WORDS_MOST];  /* what runs undisturbed and is not repeated; or nothing */
    const char *words[WORDS_MOST];
    const char *resume[WORDS_MOST]; /* what has to complete it, undisturbed; or nothing */
    int code;                       /* of an undisturbed run */
    bool is_batch;                  /* some files may fail, and stdout holds times */
    bool may_draw_otherwise; /* a library draws; without a file of its own it may take another font
                              */
    unsigned share, stays_share; /* only one number of so many is tried, as there are very many; of
                                  * faults that stay. 0: all */
} Case;

extern const Case cases[];
extern const size_t case_count;

/* How a call fails. */
typedef struct Fault {
    const char *name;
    int code;   /* of errno, or INJECT_SHORT */
    bool stays; /* all later calls fail too */
} Fault;

/* All of a call; ends with one without a name. */
const Fault *faults_of(int call);
const Fault *faults_that_lie(void);
const char *call_name(int call);

/* Does it decide what is in a file? There are few of those, and a share has the first ones always.
 */
bool call_is_vital(int call);

/* What is asked of the driver. */
typedef struct Options {
    const char *program, *shim, *samples;
    const char *extra; /* one more argument for the program, as --no-sandbox; or NULL */
    const char *one;   /* only this command; NULL: all */
    const char *group; /* only these, with commas between; NULL: all */
    const char *call;  /* only that; NULL: all */
    const char *fault; /* only that; NULL: all */
    unsigned number;   /* only that; 0: all */
    unsigned share;    /* one of so many numbers, by `seed` */
    unsigned long seed;
    int workers;
    bool lies;      /* calls that fail say that they did not: the driver has to see it */
    bool every;     /* also where a case has a share of its own */
    bool sanitizer; /* the program is built with AddressSanitizer */
    bool show;      /* what the program says, and where the call comes from */
} Options;

/* Of one kind of fault. */
typedef struct Counts {
    atomic_uint runs, done, refused, wrong;
} Counts;

#endif
