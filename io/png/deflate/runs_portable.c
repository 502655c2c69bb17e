/* The inner loops, compiled for what every processor of this architecture has. */
#define RUNS_TABLE img_runs_portable
#include "io/png/deflate/runs_source.h"
