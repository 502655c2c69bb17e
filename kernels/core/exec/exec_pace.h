/* Private: admission of pictures to a device that many workers share, and measured speeds of the
 * device and of the CPU. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_PACE_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_PACE_H

#include <pthread.h>

#include "kernels/core/exec/exec_cost.h"

/* Pictures on a device at once. More do not make it faster, but need memory. On an H200 4 pictures
 * reach 95 % of the speed of 8 (12 megapixels, decoded and encoded). The others are being copied to
 * or from the device. */
enum { IMG_PACE_PLACES = 10 };

typedef struct ImgPace {
    pthread_mutex_t mutex; /* protects the fields below */
    pthread_cond_t left_one;
    int under_way, waiting; /* pictures on the device, and workers that wait for a place */
    size_t done;
    double busy;      /* seconds with at least one picture on the device, before `since` */
    double since;     /* time when the device last became busy */
    double cpu, cuda; /* measured seconds per expected second */
} ImgPace;

void img_pace_init(ImgPace *pace);
void img_pace_destroy(ImgPace *pace);

/* Corrects the expected times by the measured ones. */
ImgCost img_pace_scaled(ImgPace *pace, const ImgCost *expected);

/* Takes a place on the device and returns true; img_pace_leave releases it. If all places are
 * taken, waits for one, unless the CPU would need less than half the time of the device at its
 * speed so far; then returns false. */
bool img_pace_enter(ImgPace *pace, const ImgCost *cost);
void img_pace_leave(ImgPace *pace, double expected, double seconds);

/* Records the time of a picture on the CPU. */
void img_pace_note_cpu(ImgPace *pace, double expected, double seconds);

#endif
