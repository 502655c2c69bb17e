/* Declarations that the files of the driver share: command lines, faults, runs and verdicts. The
 * driver runs a program and injects faults into it. */
#ifndef IMGTOOL_TESTS_INJECT_DRIVER_H
#define IMGTOOL_TESTS_INJECT_DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

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
    /* true: runs as on a file system without O_TMPFILE */
    bool without_unnamed;
    /* true for a batch: single files may fail, and stdout contains times */
    bool is_batch;
    /* true if a library draws the output; it may use another font if it cannot read a font file */
    bool may_draw_otherwise;
    /* Only one of every `share` call numbers is tried, because there are very many; 0: all are
     * tried. `stays_share` is the same number for faults that stay. */
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

/* Returns true if the call affects the content of a file: write, fsync, fdatasync, rename or link.
 * Of these calls the first three are always tried, even if only a share of the other call numbers
 * is tried. */
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

/* --- Trees of files --------------------------------------------------------------------------- */

/* A copy of a directory and its files in memory, which can be restored and compared. */

enum { NODES_MOST = 64, PATH_SIZE = 128 };

typedef struct Node {
    char path[PATH_SIZE]; /* path relative to the directory of the tree */
    struct stat info;
    char *bytes; /* content of the file, which this struct owns; NULL for a directory */
} Node;

/* All files and directories below a directory. Initialise with zeros. */
typedef struct Tree {
    Node nodes[NODES_MOST];
    size_t count;
} Tree;

/* These functions copy, restore and clear the directory with the descriptor `directory`. They end
 * the program if they fail, because that is an error of the test and not of the tested program. */
void tree_read(int directory, Tree *tree);
/* also restores the modification times of files */
void tree_write(int directory, const Tree *tree);
void tree_clear(int directory); /* removes everything in the directory */
void tree_free(Tree *tree);

/* Returns the file or directory with this path, or NULL if the tree has none. */
const Node *tree_find(const Tree *tree, const char *path);
bool node_equal(const Node *a, const Node *b); /* either argument may be NULL */

/* Prints `what` and the text of errno, and ends the program. */
_Noreturn void give_up(const char *what);

/* --- Running the program once ----------------------------------------------------------------- */

/* The program runs with the library for LD_PRELOAD that injects faults (shim.c). */

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
    /* the last bytes of stdout and stderr, terminated by a zero byte */
    char out[OUTPUT_MOST], err[OUTPUT_MOST];
} Result;

void stage_open(const Options *options, int number, Stage *stage);
void stage_close(Stage *stage);

/* Runs a command and stores its result. Call number `number` of `call` fails with `fault`; if
 * `fault` is NULL, none fails. `one` names the process whose calls count. */
void run_words(Stage *stage, const Case *one, const char *const *words, int call,
               const Fault *fault, unsigned number, Result *result);

/* --- Judging whether a program with an injected fault ended correctly ------------------------- */

/* The outcome of a run without faults: the files before and after the command, and its result. */
typedef struct Expected {
    Tree before, after;
    Result result;
    bool may_be_other; /* true if the picture may be drawn in another way */
} Expected;

enum { REASON_SIZE = 256 };

/* Returns true if the run was right. Otherwise returns false and writes the reason to `reason`.
 * `left` has the files after the run. */
bool verdict(const Case *one, const Expected *expected, const Fault *fault, const Result *result,
             const Tree *left, char reason[REASON_SIZE]);

/* Returns true if the sanitizer itself lacked memory. A run like this is not judged. */
bool is_of_sanitizer(const Result *result);

/* Judges the run without faults that completes the work afterwards. `left` has the files after
 * it. */
bool verdict_of_resume(const Expected *expected, const Result *result, const Tree *left,
                       char reason[REASON_SIZE]);

/* --- Injecting all faults into a command ------------------------------------------------------ */

/* Several worker processes divide the work. */

/* Counters for each call and fault. All workers count in the same shared memory. */
typedef Counts Tally[INJECT_CALLS][FAULTS_MOST];

enum { CANNOT_INJECT = 77 };

/* Tries all faults of a command. Returns 0 on success, or CANNOT_INJECT if system calls cannot be
 * intercepted. Returns another number, before trying any fault, if a run without faults does not
 * give the expected result. */
int sweep_case(const Options *options, const Case *one, Tally tally);

#endif
