/* The limit of an operation, an upper bound for its speed: a copy of as many bytes, or a plain read
 * of all bytes if the operation measures the picture. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_LIMIT_H
#define IMGTOOL_APP_BENCH_MEASURE_LIMIT_H

#include "app/bench/timing/device.h"

/* Returns the size of the pixels in bytes, without gaps between rows. */
size_t limit_packed_bytes(ImgShape shape);

bool limit_is_read(ImgShape result);

/* Returns the number of bytes that one run of the limit reads and writes. */
uint64_t limit_bytes(ImgShape src, ImgShape result);

/* Returns the size in bytes of the additional buffer that the copy needs if the pictures differ in
 * size: the larger picture is copied to or from it. Otherwise 0. */
size_t limit_room_bytes(ImgShape src, ImgShape result);

/* Returns the parameters of the copy: between the two pictures, or between the larger one and the
 * additional buffer `room`. */
ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room);

#endif
