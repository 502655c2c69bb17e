/* Prints the results as tables in Markdown. */
#ifndef IMGTOOL_TESTS_INJECT_TABLE_H
#define IMGTOOL_TESTS_INJECT_TABLE_H

#include "sweep.h"

/* Prints one table per case. Returns false if nothing was tried or a run was wrong. */
bool table_print(Tally *tallies);

#endif
