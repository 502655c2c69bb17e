/* Private: admission of pictures to a device that many workers share, and the measured speeds of
 * the device and of the CPU. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_PACE_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_PACE_H

#include <pthread.h>

#include "kernels/core/exec/exec_cost.h"

/* Largest number of pictures on a device at once. More pictures would not make the device faster,
 * but they would need more memory. On an H200, 4 pictures reach 95 % of the speed of 8 (12
 * megapixels, decoded and encoded). The remaining places are for pictures that are being copied to
 * or from the device. */
enum { IMG_PACE_PLACES = 10 };

typedef struct ImgPace {
    pthread_mutex_t mutex; /* protects the fields below */
    pthread_cond_t left_one;
    /* number of pictures on the device, and of workers that wait for a place */
    int under_way, waiting;
    int unmeasured; /* number of pictures that the device has yet to finish before it is measured */
    /* Counted since the measurement began: number of finished pictures, and seconds in which at
     * least one picture was on the device. The seconds do not include the time after `since`, if
     * the device is busy now. */
    size_t done;
    double busy;
    double since;     /* monotonic time, in seconds, when the device last became busy */
    double cpu, cuda; /* ratios of measured to expected seconds, as moving averages */
} ImgPace;

void img_pace_init(ImgPace *pace);
void img_pace_destroy(ImgPace *pace);

/* Returns the expected costs, corrected by the measured speeds. */
ImgCost img_pace_scaled(ImgPace *pace, const ImgCost *expected);

/* Takes a place on the device and returns true; img_pace_leave releases the place. If all places
 * are taken, compares the time on the CPU with the time on the device, including the wait for a
 * place. If the CPU needs less than half the time of the device, returns false at once. Otherwise
 * waits for a place. */
bool img_pace_enter(ImgPace *pace, const ImgCost *cost);
void img_pace_leave(ImgPace *pace, double expected, double seconds);

/* Records that a picture took `seconds` on the CPU instead of the `expected` seconds. */
void img_pace_note_cpu(ImgPace *pace, double expected, double seconds);

#endif
