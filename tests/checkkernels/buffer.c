/* See buffer.h. */
#include "tests/checkkernels/buffer.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum { GUARD = 256, GUARD_BYTE = 0xa7, PICTURE_BYTE = 0x3c };

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

bool buffer_make(Buffer *buffer, ImgShape shape, size_t alignment)
{
    buffer->row_bytes = (size_t)shape.width * img_format_pixel_size(shape.format);
    size_t stride = round_up(buffer->row_bytes + 1, alignment);
    size_t start = round_up(GUARD + (alignment == 1 ? 1 : 0), alignment);
    buffer->size = start + stride * (size_t)shape.height + GUARD;
    buffer->memory = NULL;
    void *memory = NULL;
    if (posix_memalign(&memory, 256, buffer->size) != 0)
        return false;
    buffer->memory = memory;
    memset(buffer->memory, GUARD_BYTE, buffer->size);
    buffer->view = img_view_make(buffer->memory + start, stride, shape);
    for (int32_t y = 0; y < shape.height; y++)
        memset(buffer->view.data + (size_t)y * stride, PICTURE_BYTE, buffer->row_bytes);
    return true;
}

void buffer_free(Buffer *buffer)
{
    if (buffer->memory != NULL)
        buffer_unlock(buffer);
    free(buffer->memory);
    buffer->memory = NULL;
}

/* Calls `visit` for every run of guard bytes until it says no. */
static const char *each_guard(const Buffer *buffer, bool (*visit)(uint8_t *, size_t))
{
    const ImgView *view = &buffer->view;
    uint8_t *end = buffer->memory + buffer->size;
    if (!visit(buffer->memory, (size_t)(view->data - buffer->memory)))
        return "above";
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *right = view->data + (size_t)y * view->stride + buffer->row_bytes;
        bool last = y == view->height - 1;
        size_t size = last ? (size_t)(end - right) : view->stride - buffer->row_bytes;
        if (!visit(right, size))
            return last ? "below" : "beside a row";
    }
    return NULL;
}

static bool untouched(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != GUARD_BYTE)
            return false;
    return true;
}

const char *buffer_overwritten(const Buffer *buffer)
{
    return each_guard(buffer, untouched);
}

#ifdef HAVE_ASAN
static bool poison(uint8_t *bytes, size_t size)
{
    ASAN_POISON_MEMORY_REGION(bytes, size);
    return true;
}

static bool unpoison(uint8_t *bytes, size_t size)
{
    ASAN_UNPOISON_MEMORY_REGION(bytes, size);
    return true;
}

void buffer_lock(const Buffer *buffer)
{
    (void)each_guard(buffer, poison);
}

void buffer_unlock(const Buffer *buffer)
{
    (void)each_guard(buffer, unpoison);
}
#else
void buffer_lock(const Buffer *buffer)
{
    (void)buffer;
}

void buffer_unlock(const Buffer *buffer)
{
    (void)buffer;
}
#endif
