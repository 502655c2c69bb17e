/* Makes a PNG file smaller without changing a pixel. Tries forms of the picture (reduce.h) and
 * plans of filters, deflates the best ones thoroughly, and writes the smallest file. The file is
 * never larger than the input, and optimizing it again changes nothing. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_OPTIMIZE_H
#define IMGTOOL_IO_PNG_OPTIMIZE_OPTIMIZE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/optimize/options.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

typedef struct ImgOptimizeInput {
    const ImgImage *image;       /* decoded pixels */
    const ImgMetadata *metadata; /* chunks that the result keeps */
    const uint8_t *file;         /* bytes of the file */
    size_t size;                 /* size of the file in bytes, up to the end of IEND */
    /* The file must not be kept as it is: `metadata` is not that of the file, or parts of the file
     * were dropped because they are damaged. */
    bool must_change;
    bool extra_data; /* the compressed stream has more data than the pixels */
} ImgOptimizeInput;

typedef struct ImgOptimizeResources {
    ImgTeam *team;         /* may be NULL */
    int threads;           /* at least 1 */
    ImgProgress *progress; /* receives the progress, and can cancel the work; may be NULL */
} ImgOptimizeResources;

/* Which parts of the input the result has. */
typedef enum ImgOptimizeKept {
    IMG_KEPT_NOTHING,
    IMG_KEPT_STREAM, /* the compressed pixels; only other chunks changed */
    IMG_KEPT_FILE,   /* all bytes */
} ImgOptimizeKept;

typedef struct ImgOptimizeReport {
    ImgFormat before, after;
    ImgOptimizeKept kept;
    bool was_interlaced;
    unsigned done;      /* reductions of the result, as IMG_REDUCED_... bits (reduce.h) */
    const char *filter; /* plan of filters, such as "entropy"; NULL: that of the input */
    int forms, trials;  /* numbers of forms, and of forms with plans of filters, that were tried */
    uint64_t bytes_before; /* size of the input */
    uint64_t bytes_after;
    /* Part of the pixels, in thousandths, that are transparent and have a colour other than black,
     * which ImgOptimizeOptions.clears_hidden would remove. */
    int hidden;
} ImgOptimizeReport;

/* Writes the smallest file to `output`. Before that it decodes the file, and fails with
 * IMG_E_MISMATCH if a pixel differs. `report` must not be NULL. */
ImgStatus img_png_optimize(const ImgOptimizeInput *input, const ImgOptimizeOptions *options,
                           const ImgOptimizeResources *resources, ImgOutput *output,
                           ImgOptimizeReport *report, ImgError *err);

/* Writes to `text` what was done, in words such as "16 to 8 bits, no alpha, palette". Writes "" if
 * no reduction applied. Returns `text`. */
enum { IMG_OPTIMIZE_TEXT = 160 };
const char *img_optimize_describe(const ImgOptimizeReport *report, char text[IMG_OPTIMIZE_TEXT]);

/* Returns an upper bound of the memory in bytes that img_png_optimize needs beside the file and its
 * pixels. */
uint64_t img_png_optimize_bytes(ImgShape shape, int effort, int threads);

#endif
