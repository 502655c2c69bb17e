/* Comparing the pictures of two files: read, brought to a common format, measured. Prints nothing
 * but notes. */
#ifndef IMGTOOL_APP_COMPARE_COMPARE_H
#define IMGTOOL_APP_COMPARE_COMPARE_H

#include <stdio.h>

#include "app/cli/options.h"
#include "app/sandbox/sandbox.h"
#include "app/text/json.h"
#include "kernels/compare/compare.h"

typedef struct CompareReport {
    const char *paths[2]; /* as the user named them; borrowed */
    ImgShape shapes[2];   /* of the pictures in the files */
    bool converted;       /* one of them was brought to result.format */
    ImgComparison result;
} CompareReport;

/* Compares, and writes the picture of the differences where --diff asks for it. The message of a
 * failure starts with the file that it is about. Pictures of different size are IMG_E_UNSUPPORTED;
 * a difference is not a failure here. */
ImgStatus compare_run(const Settings *settings, const char *const paths[2], Sandbox *sandbox,
                      CompareReport *report, ImgError *err);

/* IMG_E_MISMATCH if the largest difference is over --tolerance. */
ImgStatus compare_check(const Settings *settings, const CompareReport *report, ImgError *err);

/* "red", "alpha" */
const char *compare_plane_name(const ImgComparison *result, int plane);

void compare_print(FILE *out, const CompareReport *report);

/* Fills the document. */
void compare_add_json(cJSON *root, const CompareReport *report, const Settings *settings,
                      bool *failed);

#endif
