#include "app/bench/lab/lab_work.h"

#include <stdlib.h>
#include <string.h>

void lab_work_free(LabWork *work)
{
    free(work->in);
    free(work->expected);
    free(work->got);
    img_device_free(work->device_in);
    img_device_free(work->device_out);
}

/* At least a byte, so that NULL always means that there was no memory. */
static uint8_t *allocate(size_t size)
{
    return calloc(1, size > 0 ? size : 1);
}

ImgStatus lab_work_open(const LabExperiment *experiment, const LabCase *which, bool on_device,
                        LabWork *work, ImgError *err)
{
    *work = (LabWork){.experiment = experiment, .which = which, .size = experiment->size(which)};
    work->in = allocate(work->size.in);
    work->expected = allocate(work->size.out);
    work->got = allocate(work->size.out);
    if (work->in == NULL || work->expected == NULL || work->got == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (work->size.in > 0)
        experiment->fill(which, work->in);
    ImgStatus status = IMG_OK;
    if (on_device && work->size.in > 0)
        status = img_device_alloc(&work->device_in, work->size.in, err);
    if (status == IMG_OK && on_device && work->size.in > 0)
        status = img_device_upload(work->device_in, work->in, work->size.in, err);
    if (status == IMG_OK && on_device)
        status = img_device_alloc(&work->device_out, work->size.out, err);
    return status;
}

ImgStatus lab_work_compare(const LabWork *work, const LabVariant *variant, ImgError *err)
{
    work->experiment->reference(variant, work->which, work->in, work->expected);
    for (size_t i = 0; i < work->size.out; i++)
        if (work->expected[i] != work->got[i])
            return img_fail(err, IMG_E_MISMATCH, "differs from the reference at byte %zu of %zu", i,
                            work->size.out);
    return IMG_OK;
}

ImgStatus lab_work_check(LabWork *work, const LabVariant *variant, ImgError *err)
{
    memset(work->got, 0x3c, work->size.out);
    ImgStatus status = img_device_upload(work->device_out, work->got, work->size.out, err);
    if (status == IMG_OK)
        status = work->experiment->launch(variant, work->which, work->device_in, work->device_out,
                                          img_device_stream(), err);
    if (status == IMG_OK)
        status = img_device_wait(err);
    if (status == IMG_OK)
        status = img_device_download(work->got, work->device_out, work->size.out, err);
    return status == IMG_OK ? lab_work_compare(work, variant, err) : status;
}
