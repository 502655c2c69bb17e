/* A checker's way to a GPU. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECKER_DEVICE_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECKER_DEVICE_H

#include "tests/checkkernels/check.h"

/* Takes the checker's source, unless it is there from an implementation before, and `got` to the
 * device and runs; brings both back, so that what was written where is seen. */
ImgStatus checker_run_on_device(Checker *checker, const ImgImpl *impl, ImgCall *call,
                                ImgError *err);

/* Frees the memory there. */
void checker_leave_device(Checker *checker);

#endif
