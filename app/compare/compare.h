/* Compares the pictures of two files. Reads both, converts them to a common format, and measures
 * their differences. Prints nothing except notes. */
#ifndef IMGTOOL_APP_COMPARE_COMPARE_H
#define IMGTOOL_APP_COMPARE_COMPARE_H

#include <stdio.h>

#include "app/cli/options.h"
#include "app/sandbox/sandbox.h"
#include "app/text/json.h"
#include "kernels/compare/compare.h"

typedef struct CompareReport {
    const char *paths[2]; /* paths as the user wrote them; borrowed */
    ImgShape shapes[2];   /* shapes of the pictures in the files, before a conversion */
    bool converted;       /* at least one picture was converted to result.format */
    ImgComparison result;
} CompareReport;

/* Compares two pictures. With --diff, also writes the picture of differences. A difference is not a
 * failure; compare_check tests for it. Fails with IMG_E_UNSUPPORTED if the pictures have different
 * sizes. Messages start with the name of the file. */
ImgStatus compare_run(const Settings *settings, const char *const paths[2], Sandbox *sandbox,
                      CompareReport *report, ImgError *err);

/* Fails with IMG_E_MISMATCH if the largest difference exceeds --tolerance. */
ImgStatus compare_check(const Settings *settings, const CompareReport *report, ImgError *err);

/* Returns the name of channel number `plane`, such as "red" or "alpha". */
const char *compare_plane_name(const ImgComparison *result, int plane);

void compare_print(FILE *out, const CompareReport *report);

/* Adds the results to the JSON document `root`. */
void compare_add_json(cJSON *root, const CompareReport *report, const Settings *settings,
                      bool *failed);

#endif
