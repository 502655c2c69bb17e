/* What became of the runs, as tables in Markdown. */
#ifndef IMGTOOL_TESTS_INJECT_TABLE_H
#define IMGTOOL_TESTS_INJECT_TABLE_H

#include "sweep.h"

/* One of each case. False where nothing was tried, or a run was not as it may be. */
bool table_print(Tally *tallies);

#endif
