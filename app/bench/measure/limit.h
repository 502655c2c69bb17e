/* The limit for comparison with an operation: a copy that moves as many bytes, or a plain read of
 * all bytes if the operation measures. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_LIMIT_H
#define IMGTOOL_APP_BENCH_MEASURE_LIMIT_H

#include "app/bench/timing/device.h"

/* Returns the bytes of the pixels, without gaps between rows. */
size_t limit_packed_bytes(ImgShape shape);

bool limit_is_read(ImgShape result);

/* Returns the bytes that one run of the limit moves. */
uint64_t limit_bytes(ImgShape src, ImgShape result);

/* Returns the size of the extra buffer: if the pictures differ in size, the larger one is copied to
 * or from a buffer of its own. Otherwise 0. */
size_t limit_room_bytes(ImgShape src, ImgShape result);

/* Returns the copy between the pictures, or between the larger one and `room`. */
ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room);

#endif
