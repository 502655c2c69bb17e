/* The inner loops for runs, compiled for the baseline of the architecture. */
#define RUNS_TABLE img_runs_portable
#include "io/png/deflate/runs_source.h"
