/* See bench_source.h. */
#include "tests/checkkernels/bench_source.h"

#include <stdlib.h>
#include <string.h>

#include "app/bench/timing/device.h"
#include "tests/checkkernels/fill.h"

/* On the host, rows have the layout of images; rows for a device have the layout of the
 * executor. */
ImgStatus bench_alloc_picture(ImgShape shape, bool on_device, ImgImage *image, ImgError *err)
{
    if (!on_device)
        return img_image_alloc(shape, image, err);
    size_t pitch = img_device_pitch(shape);
    image->size = pitch * (size_t)shape.height;
    image->view = img_view_make(malloc(image->size), pitch, shape);
    return image->view.data != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
}

/* Fills the padding too: it is not read, and this is faster than pixel by pixel. "photo" has broad
 * areas of similar values with noise of 1/64 of the range; "constant" has a single value. */
static void fill_quickly(ImgImage *image, const char *fill, uint64_t seed)
{
    enum { AREA_SHIFT = 11 }; /* 16 KiB */
    Random random = {seed};
    const uint64_t each_byte = UINT64_C(0x0101010101010101);
    bool deep = image->view.format.bits == 16;
    uint64_t high = deep ? each_byte & UINT64_C(0xff00ff00ff00ff00) : each_byte;
    uint64_t noise = deep ? UINT64_C(0x03ff03ff03ff03ff) : 3 * each_byte;
    size_t words = image->size / sizeof(uint64_t);
    for (size_t i = 0; i < words; i++) {
        uint64_t bits = random_next(&random);
        if (fill[0] == 'p')
            bits = (i >> AREA_SHIFT & 0x3f) * 4 * high + (bits & noise);
        if (fill[0] == 'c')
            bits = 0x80 * each_byte;
        memcpy(image->view.data + i * sizeof bits, &bits, sizeof bits);
    }
    memset(image->view.data + words * sizeof(uint64_t), 0x5a, image->size % sizeof(uint64_t));
}

static bool is_same(const BenchSource *source, ImgShape shape, ImgBackend backend)
{
    const ImgView *view = &source->image.view;
    return view->data != NULL && source->backend == backend && view->width == shape.width &&
           view->height == shape.height && view->format.color == shape.format.color &&
           view->format.bits == shape.format.bits;
}

ImgStatus bench_source_need(BenchSource *source, ImgShape shape, ImgBackend backend,
                            const char *fill, uint64_t seed, ImgError *err)
{
    const bool on_device = backend == IMG_BACKEND_CUDA;
    if (is_same(source, shape, backend))
        return IMG_OK;
    bench_source_free(source);
    source->backend = backend;
    ImgStatus status = bench_alloc_picture(shape, on_device, &source->image, err);
    if (status != IMG_OK)
        return status;
    fill_quickly(&source->image, fill, seed);
    if (on_device)
        status = img_device_alloc(&source->on_device, source->image.size, err);
    if (status == IMG_OK && on_device)
        status =
            img_device_upload(source->on_device, source->image.view.data, source->image.size, err);
    if (status != IMG_OK)
        bench_source_free(source);
    return status;
}

void bench_source_free(BenchSource *source)
{
    img_image_free(&source->image);
    img_device_free(source->on_device);
    *source = (BenchSource){.image = IMG_IMAGE_NONE};
}
