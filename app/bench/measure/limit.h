/* What rows of an operation are compared with: a copy that moves as many bytes as the operation,
 * whatever it makes of them, or a plain read of all where it measures. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_LIMIT_H
#define IMGTOOL_APP_BENCH_MEASURE_LIMIT_H

#include "app/bench/timing/device.h"

/* Of a picture's pixels, without what lies between its rows. */
size_t limit_packed_bytes(ImgShape shape);

bool limit_is_read(ImgShape result);

/* Bytes that a run of the limit moves. */
uint64_t limit_bytes(ImgShape src, ImgShape result);

/* Where the pictures differ in size, the larger is copied to, or from, memory of its own: so many
 * bytes, otherwise 0. */
size_t limit_room_bytes(ImgShape src, ImgShape result);

/* The copy between pictures, or the larger of them and `room`, in one memory. */
ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room);

#endif
