/* What became of the runs, as tables in Markdown. */
#ifndef IMGTOOL_TESTS_INJECT_TABLE_H
#define IMGTOOL_TESTS_INJECT_TABLE_H

#include "sweep.h"

/* One of each case. Returns how many runs were not as they may be. */
unsigned table_print(Tally *tallies);

#endif
