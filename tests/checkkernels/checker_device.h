/* Runs the cases of a checker on a GPU. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECKER_DEVICE_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECKER_DEVICE_H

#include "tests/checkkernels/check.h"

/* Copies the source, unless an earlier implementation left it there, and `got` to the device and
 * runs. Copies both back, so that writes anywhere are visible. */
ImgStatus checker_run_on_device(Checker *checker, const ImgImpl *impl, ImgCall *call,
                                ImgError *err);

/* Frees the device memory. */
void checker_leave_device(Checker *checker);

#endif
