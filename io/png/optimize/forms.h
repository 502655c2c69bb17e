/* Private: the forms of a picture that may be the smallest. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_FORMS_H
#define IMGTOOL_IO_PNG_OPTIMIZE_FORMS_H

#include "io/png/optimize/effort.h"
#include "io/png/optimize/options.h"
#include "io/png/optimize/reduce.h"

enum { IMG_FORMS_MAX = 16 };

/* Must start as {0}; freed by img_forms_free. */
typedef struct ImgForms {
    ImgReduced list[IMG_FORMS_MAX];
    bool is_extra[IMG_FORMS_MAX]; /* as ImgTrialPicture.is_extra */
    int count;
} ImgForms;

/* Makes all forms of `source`, at least one. Forms that are not extra depend only on the pixels and
 * on the meaning of the chunks, so they are the same again for a picture that is one of them.
 * `source` is borrowed until img_forms_free. May fail with IMG_E_MEMORY; `forms` must be freed even
 * then. */
ImgStatus img_forms_make(const ImgReduced *source, const ImgOptimizeOptions *options,
                         ImgForms *forms, ImgError *err);
void img_forms_free(ImgForms *forms);

/* Returns the memory in bytes of all forms of a picture of this shape. */
uint64_t img_forms_bytes(ImgShape shape);

#endif
