/* Descriptions of failures (failures.h). */
#include "tests/checkkernels/failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"

static void write_failure(FILE *out, const Case *one, const ImgImpl *impl, size_t alignment,
                          const ImgError *err)
{
    const ImgShape shape = one->shape;
    fprintf(out, "FAIL %s %s %s %d-bit %d x %d, %s, aligned to %zu:", one->op->name, impl->name,
            img_color_name(shape.format.color), shape.format.bits, shape.width, shape.height,
            fill_name(one->fill), alignment);
    for (const ImgParam *param = one->op->params; param->name != NULL; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, &one->params, text, sizeof text);
        fprintf(out, " %s=%s", param->name, text);
    }
    fprintf(out, ": %s\n", err->message);
}

/* Returns a description of a failure, which the caller frees, or NULL if memory is short. */
static char *failure_text(const Case *one, const ImgImpl *impl, size_t alignment,
                          const ImgError *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    write_failure(out, one, impl, alignment, err);
    (void)fclose(out);
    return text;
}

void failures_note(Failures *failures, const Case *one, size_t number, const ImgImpl *impl,
                   size_t alignment, const ImgError *err)
{
    const size_t last = FAILURES_SHOWN - 1;
    size_t place = 0;
    if (err->status == IMG_E_DEVICE && failures->texts[last] == NULL)
        write_failure(stdout, one, impl, alignment, err);
    while (place <= last && failures->texts[place] != NULL && failures->numbers[place] <= number)
        place++;
    char *text = place <= last ? failure_text(one, impl, alignment, err) : NULL;
    if (text == NULL)
        return;
    free(failures->texts[last]);
    for (size_t i = last; i > place; i--) {
        failures->texts[i] = failures->texts[i - 1];
        failures->numbers[i] = failures->numbers[i - 1];
    }
    failures->texts[place] = text;
    failures->numbers[place] = number;
}

void failures_print(Failures *failures)
{
    for (size_t i = 0; i < FAILURES_SHOWN && failures->texts[i] != NULL; i++) {
        fputs(failures->texts[i], stdout);
        free(failures->texts[i]);
        failures->texts[i] = NULL;
    }
}
