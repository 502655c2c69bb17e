#include "kernels/core/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/core/store.h"

enum { ALIGNMENT = 64, LONG_ROW = 1024, PAGE = 4096 };
static const size_t HUGE_PAGE = IMG_HUGE_PAGE;

int img_format_channels(ImgFormat format)
{
    switch (format.color) {
    case IMG_COLOR_GRAY_ALPHA:
        return 2;
    case IMG_COLOR_RGB:
        return 3;
    case IMG_COLOR_RGBA:
        return 4;
    case IMG_COLOR_GRAY:
    case IMG_COLOR_PALETTE:
    case IMG_COLOR_COUNTS:
        break;
    }
    return 1;
}

size_t img_format_pixel_size(ImgFormat format)
{
    if (format.color == IMG_COLOR_COUNTS)
        return sizeof(uint64_t);
    return (size_t)img_format_channels(format) * (format.bits == 16 ? 2 : 1);
}

bool img_format_has_alpha(ImgFormat format)
{
    return format.color == IMG_COLOR_GRAY_ALPHA || format.color == IMG_COLOR_RGBA;
}

uint32_t img_format_maximum(ImgFormat format)
{
    return (UINT32_C(1) << format.bits) - 1;
}

const char *img_color_name(ImgColor color)
{
    switch (color) {
    case IMG_COLOR_GRAY:
        return "gray";
    case IMG_COLOR_GRAY_ALPHA:
        return "gray+alpha";
    case IMG_COLOR_RGB:
        return "RGB";
    case IMG_COLOR_RGBA:
        return "RGBA";
    case IMG_COLOR_PALETTE:
        return "palette";
    case IMG_COLOR_COUNTS:
        return "counts";
    }
    return "?";
}

ImgShape img_view_shape(const ImgView *view)
{
    return (ImgShape){view->width, view->height, view->format};
}

ImgView img_view_make(void *data, size_t stride, ImgShape shape)
{
    return (ImgView){(uint8_t *)data, stride, shape.width, shape.height, shape.format};
}

uint64_t *img_view_counts(const ImgView *view, int32_t y)
{
    return (uint64_t *)(void *)(view->data + (size_t)y * view->stride);
}

ImgView img_view_crop(const ImgView *view, int32_t x, int32_t y, int32_t width, int32_t height)
{
    ImgView part = *view;
    part.data += (size_t)y * view->stride + (size_t)x * img_format_pixel_size(view->format);
    part.width = width;
    part.height = height;
    return part;
}

void img_view_copy(const ImgView *from, const ImgView *to)
{
    const size_t row = (size_t)from->width * img_format_pixel_size(from->format);
    if (from->stride == row && to->stride == row) {
        memcpy(to->data, from->data, row * (size_t)from->height);
        return;
    }
    for (size_t y = 0; y < (size_t)from->height; y++)
        memcpy(to->data + y * to->stride, from->data + y * from->stride, row);
}

/* Returns the bytes from row to row of an image that this file allocates. Rows of small images have
 * no padding. Long rows start at a cache line. Their stride is never a multiple of the page size,
 * because code that moves down a column would then use only a few cache sets. */
static size_t row_stride(size_t row_bytes)
{
    if (row_bytes < LONG_ROW)
        return row_bytes;
    size_t stride = (row_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return stride % PAGE == 0 ? stride + ALIGNMENT : stride;
}

ImgStatus img_shape_bytes(ImgShape shape, size_t *bytes, ImgError *err)
{
    *bytes = 0;
    if (shape.width < 1 || shape.height < 1)
        return img_fail(err, IMG_E_USAGE,
                        "%d x %d pixels is not an image; width and height must be at least 1",
                        shape.width, shape.height);
    size_t row, stride, total;
    if (__builtin_mul_overflow((size_t)shape.width, img_format_pixel_size(shape.format), &row) ||
        row > SIZE_MAX - 2 * (size_t)PAGE)
        return img_fail(err, IMG_E_LIMIT, "a row of %d pixels does not fit the address space",
                        shape.width);
    stride = row_stride(row);
    if (__builtin_mul_overflow(stride, (size_t)shape.height, &total) ||
        total > (size_t)PTRDIFF_MAX - HUGE_PAGE)
        return img_fail(err, IMG_E_LIMIT, "%d x %d pixels do not fit the address space",
                        shape.width, shape.height);
    *bytes = total;
    return IMG_OK;
}

uint64_t img_image_bytes(ImgShape shape)
{
    size_t bytes = 0;
    (void)img_shape_bytes(shape, &bytes, NULL);
    return bytes;
}

void *img_large_alloc(size_t size)
{
    bool large = size >= 2 * HUGE_PAGE;
    void *data = NULL;
    if (posix_memalign(&data, large ? HUGE_PAGE : (size_t)ALIGNMENT, size) != 0)
        return NULL;
    if (large)
        /* only a hint: the memory is valid even if this fails */
        (void)madvise(data, size, MADV_HUGEPAGE);
    return data;
}

static ImgStatus allocate(ImgStore *store, size_t size, ImgShape shape, void **data, ImgError *err)
{
    if (store != NULL)
        return img_store_alloc(store, size, data, err);
    *data = img_large_alloc(size);
    return *data != NULL ? IMG_OK
                         : img_fail(err, IMG_E_MEMORY, "no memory for %d x %d pixels (%zu bytes)",
                                    shape.width, shape.height, size);
}

ImgStatus img_image_alloc_in(ImgStore *store, ImgShape shape, ImgImage *image, ImgError *err)
{
    size_t bytes;
    void *data;
    *image = IMG_IMAGE_NONE;
    ImgStatus status = img_shape_bytes(shape, &bytes, err);
    const size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (status == IMG_OK)
        status = allocate(store, size, shape, &data, err);
    if (status != IMG_OK)
        return status;
    const size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    *image = (ImgImage){img_view_make(data, row_stride(row), shape), size, store, false};
    return IMG_OK;
}

ImgStatus img_image_alloc(ImgShape shape, ImgImage *image, ImgError *err)
{
    return img_image_alloc_in(NULL, shape, image, err);
}

/* Maps `size` bytes that begin at a huge page. Returns NULL when memory is short. */
static uint8_t *map_pages(size_t size)
{
    uint8_t *all =
        mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    const size_t before = (HUGE_PAGE - (uintptr_t)all % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0)
        (void)munmap(all, before);
    if (before < HUGE_PAGE)
        (void)munmap(all + before + size, HUGE_PAGE - before);
    (void)madvise(all + before, size, MADV_HUGEPAGE); /* only a hint */
    return all + before;
}

ImgStatus img_image_map(ImgShape shape, ImgImage *image, ImgError *err)
{
    size_t bytes;
    *image = IMG_IMAGE_NONE;
    const ImgStatus status = img_shape_bytes(shape, &bytes, err);
    if (status != IMG_OK)
        return status;
    const size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    const size_t size = (bytes + PAGE - 1) / PAGE * PAGE;
    uint8_t *data = map_pages(size);
    if (data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %d x %d pixels (%zu bytes)", shape.width,
                        shape.height, size);
    *image = (ImgImage){img_view_make(data, row_stride(row), shape), size, NULL, true};
    return IMG_OK;
}

/* Writes short rows to a store, several with each system call. */
static ImgStatus put_short_rows(ImgStore *store, const ImgView *to, const ImgView *rows,
                                ImgError *err)
{
    enum { BYTES = 32 << 10 };
    uint8_t buffer[BYTES] = {0}; /* zeros, because the padding between rows is written, too */
    const size_t row = (size_t)rows->width * img_format_pixel_size(rows->format);
    const int32_t most = (int32_t)(BYTES / to->stride);
    ImgStatus status = IMG_OK;
    for (int32_t y = 0, count; status == IMG_OK && y < rows->height; y += count) {
        count = rows->height - y < most ? rows->height - y : most;
        ImgView part = img_view_crop(rows, 0, y, rows->width, count);
        const ImgView copy = img_view_make(buffer, to->stride, img_view_shape(&part));
        img_view_copy(&part, &copy);
        status = img_store_write(store, to->data + (size_t)y * to->stride, buffer,
                                 (size_t)(count - 1) * to->stride + row, err);
    }
    return status;
}

ImgStatus img_image_put(const ImgImage *image, int32_t first, const ImgView *rows, ImgError *err)
{
    const ImgView to = img_view_crop(&image->view, 0, first, rows->width, rows->height);
    const size_t row = (size_t)rows->width * img_format_pixel_size(rows->format);
    ImgStatus status = IMG_OK;
    if (image->store == NULL) {
        img_view_copy(rows, &to);
        return IMG_OK;
    }
    if (row < PAGE)
        return put_short_rows(image->store, &to, rows, err);
    for (size_t y = 0; status == IMG_OK && y < (size_t)rows->height; y++)
        status = img_store_write(image->store, to.data + y * to.stride,
                                 rows->data + y * rows->stride, row, err);
    return status;
}

ImgStatus img_image_get(const ImgImage *image, int32_t x, int32_t y, const ImgView *part,
                        ImgError *err)
{
    const ImgView from = img_view_crop(&image->view, x, y, part->width, part->height);
    const size_t row = (size_t)part->width * img_format_pixel_size(part->format);
    ImgStatus status = IMG_OK;
    if (image->store == NULL) {
        img_view_copy(&from, part);
        return IMG_OK;
    }
    for (size_t i = 0; status == IMG_OK && i < (size_t)part->height; i++)
        status = img_store_read(image->store, part->data + i * part->stride,
                                from.data + i * from.stride, row, err);
    return status;
}

/* Releases the memory of the image past `bytes` bytes, because memory plans count only what
 * pictures need. realloc leaves large blocks in place, so pages that are already mapped stay
 * mapped. */
static void shrink(ImgImage *image, size_t bytes)
{
    const size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (image->size < size + PAGE)
        return;
    void *smaller = realloc(image->view.data, size);
    if (smaller == NULL)
        return;
    image->view.data = smaller;
    image->size = size;
}

bool img_image_reshape(ImgImage *image, ImgShape shape)
{
    size_t bytes;
    if (image->store != NULL || image->is_mapped ||
        img_shape_bytes(shape, &bytes, NULL) != IMG_OK || bytes > image->size)
        return false;
    shrink(image, bytes);
    const size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    image->view = img_view_make(image->view.data, row_stride(row), shape);
    return true;
}

void img_image_free(ImgImage *image)
{
    if (image->store != NULL)
        img_store_release(image->store, image->view.data);
    else if (image->is_mapped)
        (void)munmap(image->view.data, image->size);
    else
        free(image->view.data);
    *image = IMG_IMAGE_NONE;
}
