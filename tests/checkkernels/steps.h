/* Steps of pipelines for scripts that need every operation without a list of their own. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_STEPS_H
#define IMGTOOL_TESTS_CHECKKERNELS_STEPS_H

/* Prints a line for every operation and each combination of its choices with default numbers, such
 * as "rotate angle=180". Where the defaults change nothing, it prints the example of the help. */
void steps_list(void);

#endif
