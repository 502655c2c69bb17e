/* Reads and writes binary PGM and PPM. */
#include "tests/peers/pnm.h"

#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(EXIT_FAILURE);
}

static uint32_t read_number(FILE *file, const char *path)
{
    uint32_t number = 0;
    if (fscanf(file, "%u", &number) != 1) /* NOLINT(cert-err34-c): our own files */
        give_up(path, "is not a binary PGM or PPM");
    return number;
}

Pnm pnm_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        give_up(path, "cannot be opened");
    Pnm pnm = {0};
    int first = fgetc(file);
    int second = fgetc(file);
    if (first != 'P' || (second != '5' && second != '6'))
        give_up(path, "is not a binary PGM or PPM");
    pnm.channels = second == '6' ? 3 : 1;
    pnm.width = read_number(file, path);
    pnm.height = read_number(file, path);
    pnm.bytes = read_number(file, path) > 255 ? 2 : 1;
    (void)fgetc(file); /* the white space before the samples */
    size_t row = (size_t)pnm.width * pnm.channels * pnm.bytes;
    pnm.data = malloc(row * pnm.height);
    if (pnm.data == NULL || fread(pnm.data, row, pnm.height, file) != pnm.height)
        give_up(path, "is truncated, or there is no memory");
    (void)fclose(file);
    return pnm;
}

void pnm_write(const char *path, const Pnm *pnm)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        give_up(path, "cannot be opened");
    size_t row = (size_t)pnm->width * pnm->channels * pnm->bytes;
    fprintf(file, "P%d\n%u %u\n%d\n", pnm->channels == 3 ? 6 : 5, pnm->width, pnm->height,
            pnm->bytes == 2 ? 65535 : 255);
    (void)fwrite(pnm->data, row, pnm->height, file);
    if (ferror(file) || fclose(file) != 0)
        give_up(path, "cannot be written");
}
