#include "app/bench/measure/workload.h"

size_t limit_packed_bytes(ImgShape shape)
{
    return (size_t)shape.width * img_format_pixel_size(shape.format) * (size_t)shape.height;
}

bool limit_is_read(ImgShape result)
{
    return result.format.color == IMG_COLOR_COUNTS;
}

/* Returns the number of bytes that one copy reads, which is also the number that it writes. */
static size_t copied_bytes(ImgShape src, ImgShape result)
{
    return (limit_packed_bytes(src) + limit_packed_bytes(result)) / 2;
}

uint64_t limit_bytes(ImgShape src, ImgShape result)
{
    return limit_is_read(result) ? limit_packed_bytes(src)
                                 : 2 * (uint64_t)copied_bytes(src, result);
}

size_t limit_room_bytes(ImgShape src, ImgShape result)
{
    const bool same = limit_packed_bytes(src) == limit_packed_bytes(result);
    return same || limit_is_read(result) ? 0 : copied_bytes(src, result);
}

ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room)
{
    const bool has_room = limit_room_bytes(src, result) > 0;
    const bool shrinks = limit_packed_bytes(result) < limit_packed_bytes(src);
    return (ImgDeviceCopy){.to = has_room && shrinks ? room : to,
                           .from = has_room && !shrinks ? room : from,
                           .size = copied_bytes(src, result)};
}
