/* Captures output: see capture.h. */
#include "tests/fuzz/text/capture.h"

#include <stdlib.h>

#include "tests/fuzz/text/scratch.h"

static Capture *active; /* NULL outside of begin and end */

void capture_begin(Capture *output)
{
    *output = (Capture){.real_out = stdout, .real_err = stderr};
    output->out_file = open_memstream(&output->out, &output->out_size);
    output->err_file = open_memstream(&output->err, &output->err_size);
    scratch_check(output->out_file != NULL && output->err_file != NULL, "no memory");
    stdout = output->out_file;
    stderr = output->err_file;
    active = output;
}

void capture_end(Capture *output)
{
    active = NULL;
    stdout = output->real_out;
    stderr = output->real_err;
    (void)fclose(output->out_file);
    (void)fclose(output->err_file);
}

void capture_free(Capture *output)
{
    free(output->out);
    free(output->err);
}

void check_printable(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        scratch_check(((unsigned char)text[i] >= ' ' && text[i] != 0x7f) || text[i] == '\n' ||
                          text[i] == '\t',
                      "a control character");
}

void capture_abort(void)
{
    if (active != NULL)
        capture_end(active);
}
