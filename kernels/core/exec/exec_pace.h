/* Private: who of many workers gets a place on a device that they share, and how long pictures take
 * there and on the CPU, as far as has been seen. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_PACE_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_PACE_H

#include <pthread.h>

#include "kernels/core/exec/exec_cost.h"

/* Pictures on a device at a time: more make it no faster, but take memory. On an H200 4 of them
 * have 95 % of the speed of 8 (12 megapixels, decoded and encoded); some are on their way there or
 * back. */
enum { IMG_PACE_PLACES = 10 };

typedef struct ImgPace {
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t left_one;
    int under_way, waiting; /* pictures on the device, and for it */
    size_t done;
    double busy;      /* seconds in which there was one at least, before `since` */
    double since;     /* when the device got busy last */
    double cpu, cuda; /* seconds measured a second expected */
} ImgPace;

void img_pace_init(ImgPace *pace);
void img_pace_destroy(ImgPace *pace);

/* What is expected, by what has been measured. */
ImgCost img_pace_scaled(ImgPace *pace, const ImgCost *expected);

/* True: there was a place, which img_pace_leave gives back. Waits for one where the device will
 * have done the picture sooner than the CPU nevertheless: as fast as it has been so far. */
bool img_pace_enter(ImgPace *pace, const ImgCost *cost);
void img_pace_leave(ImgPace *pace, double expected, double seconds);

/* A picture on the CPU, for whatever reason. */
void img_pace_note_cpu(ImgPace *pace, double expected, double seconds);

#endif
