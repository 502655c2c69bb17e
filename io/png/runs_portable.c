/* The inner loops, compiled for what every processor of this architecture has. */
#define RUNS_TABLE img_runs_portable
#include "io/png/runs_source.h"
