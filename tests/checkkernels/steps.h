/* Steps of pipelines, for scripts that want every operation without knowing any. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_STEPS_H
#define IMGTOOL_TESTS_CHECKKERNELS_STEPS_H

/* Prints a line for every operation and each combination of its choices, numbers as they are by
 * default: "rotate angle=180". Where the defaults change nothing, the example of its help. */
void steps_list(void);

#endif
