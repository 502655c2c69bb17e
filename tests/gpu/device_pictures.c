#include "device_pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void expect(bool good, const char *what, const char *why)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

void cuda(cudaError_t code, const char *what)
{
    expect(code == cudaSuccess, what, cudaGetErrorString(code));
}

OnDevice make_on_device(imgtool_picture like)
{
    OnDevice made = {.picture = like};
    const size_t row = (size_t)like.width * imgtool_pixel_size(like.format);
    made.picture.stride = (row + 15) / 16 * 16;
    made.picture.owned = false;
    made.bytes = made.picture.stride * (size_t)like.height;
    cuda(cudaMalloc(&made.picture.pixels, made.bytes + GUARD), "cudaMalloc");
    cuda(cudaMemset(made.picture.pixels, GUARD_VALUE, made.bytes + GUARD), "cudaMemset");
    return made;
}

size_t row_bytes(const imgtool_picture *picture)
{
    return (size_t)picture->width * imgtool_pixel_size(picture->format);
}

void copy(const imgtool_picture *from, const imgtool_picture *to, enum cudaMemcpyKind kind)
{
    cuda(cudaMemcpy2D(to->pixels, to->stride, from->pixels, from->stride, row_bytes(from),
                      (size_t)from->height, kind),
         "cudaMemcpy2D");
}

void expect_guard(const void *memory, size_t used, const char *what)
{
    unsigned char guard[GUARD];
    cuda(cudaMemcpy(guard, (const char *)memory + used, GUARD, cudaMemcpyDeviceToHost),
         "cudaMemcpy");
    for (size_t i = 0; i < GUARD; i++)
        expect(guard[i] == GUARD_VALUE, what, "writes past its memory");
}

void expect_gaps(const imgtool_picture *picture, const char *what)
{
    const size_t row = row_bytes(picture), bytes = picture->stride * (size_t)picture->height;
    unsigned char *copied = malloc(bytes);
    expect(copied != NULL, what, "no memory");
    cuda(cudaMemcpy(copied, picture->pixels, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < bytes; i++)
        expect(i % picture->stride < row || copied[i] == GUARD_VALUE, what, "writes between rows");
    free(copied);
}

void expect_equal(const imgtool_picture *expected, const imgtool_picture *got, const char *what)
{
    for (size_t y = 0; y < (size_t)expected->height; y++)
        expect(memcmp((const char *)expected->pixels + y * expected->stride,
                      (const char *)got->pixels + y * got->stride, row_bytes(expected)) == 0,
               what, "the bytes differ from the CPU's");
}
