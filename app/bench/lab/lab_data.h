/* The data of one case of an experiment. Variants run on it and are checked against it. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_DATA_H
#define IMGTOOL_APP_BENCH_LAB_LAB_DATA_H

#include "app/bench/experiments/experiment.h"
#include "app/bench/timing/device.h"

/* Input and results of one case, on the host and, if requested, on the device. */
typedef struct LabData {
    const LabExperiment *experiment;
    const LabCase *which;
    LabSize size;
    uint8_t *in, *expected, *got;
    void *device_in, *device_out;
} LabData;

/* Allocates the data and fills the input. Call lab_data_free even after a failure. */
ImgStatus lab_data_open(const LabExperiment *experiment, const LabCase *which, bool on_device,
                        LabData *data, ImgError *err);
void lab_data_free(LabData *data);

/* Compares the result `got` with the reference. IMG_E_MISMATCH, with the first byte that
 * differs. */
ImgStatus lab_data_compare(const LabData *data, const LabVariant *variant, ImgError *err);

/* Runs the variant once on the device and compares its result. */
ImgStatus lab_data_check(LabData *data, const LabVariant *variant, ImgError *err);

#endif
