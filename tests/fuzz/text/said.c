#include "tests/fuzz/text/said.h"

#include <stdlib.h>

#include "tests/fuzz/text/scratch.h"

static Said *listening;

void said_begin(Said *said)
{
    *said = (Said){.real_out = stdout, .real_err = stderr};
    said->out_file = open_memstream(&said->out, &said->out_size);
    said->err_file = open_memstream(&said->err, &said->err_size);
    scratch_check(said->out_file != NULL && said->err_file != NULL, "no memory");
    stdout = said->out_file;
    stderr = said->err_file;
    listening = said;
}

void said_end(Said *said)
{
    listening = NULL;
    stdout = said->real_out;
    stderr = said->real_err;
    (void)fclose(said->out_file);
    (void)fclose(said->err_file);
}

void said_free(Said *said)
{
    free(said->out);
    free(said->err);
}

void said_check_clean(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        scratch_check(((unsigned char)text[i] >= ' ' && text[i] != 0x7f) || text[i] == '\n' ||
                          text[i] == '\t',
                      "a control character");
}

void said_stop(void)
{
    if (listening != NULL)
        said_end(listening);
}
