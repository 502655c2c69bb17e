/* Private to workloads: what rows are compared with, a copy of as many bytes as the operation
 * moves, or a plain read where it measures. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_LIMIT_H
#define IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_LIMIT_H

#include "app/bench/measure/workload.h"

/* Where the pictures differ in size, the larger is copied to, or from, memory of its own: so many
 * bytes, otherwise 0. */
size_t workload_room_bytes(ImgShape src, ImgShape result);

/* Seconds on the device, as img_device_time has them. */
ImgStatus workload_limit_on_device(Workload *workload, ImgCaches caches, int repeats,
                                   double *seconds, ImgError *err);

void workload_limit_on_cpu(Workload *workload);

#endif
