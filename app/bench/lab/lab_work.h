/* A case of an experiment, ready to be run by its variants and checked. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_WORK_H
#define IMGTOOL_APP_BENCH_LAB_LAB_WORK_H

#include "app/bench/experiments/experiment.h"
#include "app/bench/timing/device.h"

/* Its data, on the host and, where that is asked for, on the device. */
typedef struct LabWork {
    const LabExperiment *experiment;
    const LabCase *which;
    LabSize size;
    uint8_t *in, *expected, *got;
    void *device_in, *device_out;
} LabWork;

/* Allocates and fills; lab_work_free in any case. */
ImgStatus lab_work_open(const LabExperiment *experiment, const LabCase *which, bool on_device,
                        LabWork *work, ImgError *err);
void lab_work_free(LabWork *work);

/* Is what `got` holds right? IMG_E_MISMATCH names the first byte that is not. */
ImgStatus lab_work_compare(const LabWork *work, const LabVariant *variant, ImgError *err);

/* Runs the variant on the device once, and compares. */
ImgStatus lab_work_check(LabWork *work, const LabVariant *variant, ImgError *err);

#endif
