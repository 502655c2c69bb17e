/* Pictures with guard bytes on all sides (buffer.h). */
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
#define POISON(bytes, size)   ASAN_POISON_MEMORY_REGION(bytes, size)
#define UNPOISON(bytes, size) ASAN_UNPOISON_MEMORY_REGION(bytes, size)
#else
#define POISON(bytes, size)   ((void)(bytes), (void)(size))
#define UNPOISON(bytes, size) ((void)(bytes), (void)(size))
#endif

/* Exempts a function from AddressSanitizer. For functions that read guard bytes, which may be
 * poisoned. */
#define UNCHECKED __attribute__((no_sanitize("address")))

enum { GUARD = 256, PICTURE_BYTE = 0x3c, SHORT_ROW = 16 };

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Makes room for `size` bytes. Allocates a quarter more, so that slowly growing sizes do not
 * allocate each time. */
static bool reserve(Buffer *buffer, size_t size)
{
    if (size <= buffer->capacity)
        return true;
    free(buffer->memory);
    *buffer = (Buffer){.memory = NULL};
    void *memory = NULL;
    size_t capacity = round_up(size + size / 4, GUARD);
    if (posix_memalign(&memory, GUARD, capacity) != 0)
        return false;
    buffer->memory = memory;
    buffer->capacity = capacity;
    return true;
}

bool buffer_lay(Buffer *buffer, ImgShape shape, size_t alignment, BufferUse use)
{
    size_t row_bytes = (size_t)shape.width * img_format_pixel_size(shape.format);
    size_t stride = round_up(row_bytes + 1, alignment);
    size_t start = round_up(GUARD + (alignment == 1 ? 1 : 0), alignment);
    size_t size = round_up(start + stride * (size_t)shape.height + GUARD, sizeof(uint64_t));
    buffer_unlock(buffer);
    if (!reserve(buffer, size))
        return false;
    buffer->size = size;
    buffer->row_bytes = row_bytes;
    buffer->view = img_view_make(buffer->memory + start, stride, shape);
    buffer->guard = (uint8_t)use;
    memset(buffer->memory, buffer->guard, size);
    return true;
}

void buffer_free(Buffer *buffer)
{
    buffer_unlock(buffer);
    free(buffer->memory);
    *buffer = (Buffer){.memory = NULL};
}

void buffer_blank(const Buffer *buffer)
{
    size_t size = buffer->row_bytes;
    for (int32_t y = 0; y < buffer->view.height; y++) {
        uint8_t *row = buffer->view.data + (size_t)y * buffer->view.stride;
        if (size >= SHORT_ROW)
            memset(row, PICTURE_BYTE, size);
        else
            for (size_t i = 0; i < size; i++)
                row[i] = PICTURE_BYTE;
    }
}

void buffer_copy(const Buffer *to, const Buffer *from)
{
    memcpy(to->memory, from->memory, from->size);
}

void buffer_copy_rows(const Buffer *to, const Buffer *from)
{
    for (int32_t y = 0; y < from->view.height; y++)
        memcpy(to->view.data + (size_t)y * to->view.stride,
               from->view.data + (size_t)y * from->view.stride, from->row_bytes);
}

UNCHECKED bool buffer_equal(const Buffer *a, const Buffer *b)
{
    const uint64_t *p = (const uint64_t *)(const void *)a->memory;
    const uint64_t *q = (const uint64_t *)(const void *)b->memory;
    uint64_t different = 0;
    for (size_t i = 0; i < a->size / sizeof *p; i++)
        different |= p[i] ^ q[i];
    return different == 0;
}

/* Calls `visit` for the guard bytes above the picture, beside each row and below the picture, until
 * `visit` returns false. Then returns a text that says on which side, such as "above". Returns NULL
 * if `visit` always returned true. */
static const char *each_guard(const Buffer *buffer, bool (*visit)(uint8_t *, size_t, uint8_t))
{
    const ImgView *view = &buffer->view;
    uint8_t *end = buffer->memory + buffer->size;
    if (!visit(buffer->memory, (size_t)(view->data - buffer->memory), buffer->guard))
        return "above";
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *right = view->data + (size_t)y * view->stride + buffer->row_bytes;
        bool last = y == view->height - 1;
        size_t size = last ? (size_t)(end - right) : view->stride - buffer->row_bytes;
        if (!visit(right, size, buffer->guard))
            return last ? "below" : "beside a row";
    }
    return NULL;
}

UNCHECKED static bool untouched(uint8_t *bytes, size_t size, uint8_t guard)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != guard)
            return false;
    return true;
}

const char *buffer_overwritten(const Buffer *buffer)
{
    return each_guard(buffer, untouched);
}

static bool poison(uint8_t *bytes, size_t size, uint8_t guard)
{
    (void)guard;
    POISON(bytes, size);
    return true;
}

/* Also poisons the memory after the part in use, because a larger picture may have been there. */
void buffer_lock(Buffer *buffer)
{
    if (buffer->locked)
        return;
    (void)each_guard(buffer, poison);
    POISON(buffer->memory + buffer->size, buffer->capacity - buffer->size);
    buffer->locked = true;
}

void buffer_unlock(Buffer *buffer)
{
    if (buffer->locked)
        UNPOISON(buffer->memory, buffer->capacity);
    buffer->locked = false;
}
