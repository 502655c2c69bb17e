/* Runs every variant of every experiment in app/bench/experiments once and compares its result with
 * plain C. The emulator finds faults and counts accesses; on a GPU, Nsight Compute measures the
 * same runs (README.md).
 * By default each case runs at the small size that it has for counting. `run_lab --full` runs the
 * sizes of the benchmark. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/experiments/experiment.h"
#include "kernels/core/cuda/cuda_util.h"

/* The memory of one case: input, expected result and actual result on the host, and input and
 * output on the device. */
typedef struct Memory {
    LabSize size;
    void *in, *expected, *got;
    void *device_in, *device_out;
} Memory;

/* Allocates `size` bytes of device memory. Leaves *memory as it is if the size is 0. */
static ImgStatus device_memory(void **memory, size_t size, ImgError *err)
{
    if (size > 0)
        CUDA_TRY(cudaMalloc(memory, size), err);
    return IMG_OK;
}

static ImgStatus make_memory(Memory *m, const LabExperiment *experiment, const LabCase *which,
                             ImgError *err)
{
    m->size = experiment->size(which);
    m->in = malloc(m->size.in + 1);
    m->expected = malloc(m->size.out);
    m->got = malloc(m->size.out);
    if (m->in == NULL || m->expected == NULL || m->got == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu bytes", m->size.in + m->size.out);
    ImgStatus status = device_memory(&m->device_in, m->size.in, err);
    if (status == IMG_OK)
        status = device_memory(&m->device_out, m->size.out, err);
    if (status != IMG_OK || m->size.in == 0)
        return status;
    experiment->fill(which, m->in);
    CUDA_TRY(cudaMemcpy(m->device_in, m->in, m->size.in, cudaMemcpyHostToDevice), err);
    return IMG_OK;
}

static void free_memory(Memory *m)
{
    (void)cudaFree(m->device_in);
    (void)cudaFree(m->device_out);
    free(m->in);
    free(m->expected);
    free(m->got);
}

static ImgStatus run_variant(const LabExperiment *experiment, const LabVariant *variant,
                             const LabCase *which, const Memory *m, ImgError *err)
{
    CUDA_TRY(cudaMemsetAsync(m->device_out, 0xa5, m->size.out, NULL), err);
    ImgStatus status = experiment->launch(variant, which, m->device_in, m->device_out, NULL, err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaDeviceSynchronize(), err);
    CUDA_TRY(cudaMemcpy(m->got, m->device_out, m->size.out, cudaMemcpyDeviceToHost), err);
    experiment->reference(variant, which, m->in, m->expected);
    const unsigned char *expected = m->expected, *got = m->got;
    for (size_t i = 0; i < m->size.out; i++)
        if (got[i] != expected[i])
            return img_fail(err, IMG_E_MISMATCH, "byte %zu of %zu is %d, not %d", i, m->size.out,
                            got[i], expected[i]);
    return IMG_OK;
}

/* Runs all variants of `which` and prints one line for each. Returns the number of failures. */
static int run_case(const LabExperiment *experiment, const LabCase *which)
{
    ImgError err = {IMG_OK, ""};
    Memory m = {.in = NULL};
    int failed = 0;
    if (make_memory(&m, experiment, which, &err) != IMG_OK) {
        printf("FAIL  %-12s %-34s %s\n", experiment->name, which->name, err.message);
        failed = 1;
        goto done;
    }
    for (const LabVariant *variant = experiment->variants; variant->name != NULL; variant++) {
        if (experiment->applies != NULL && !experiment->applies(variant, which))
            continue;
        img_error_clear(&err);
        bool right = run_variant(experiment, variant, which, &m, &err) == IMG_OK;
        printf("%s  %-12s %-34s %-26s %s\n", right ? "ok  " : "FAIL", experiment->name, which->name,
               variant->name, err.message);
        failed += !right;
    }
done:
    free_memory(&m);
    return failed;
}

int main(int argc, char **argv)
{
    bool full = argc == 2 && strcmp(argv[1], "--full") == 0;
    int failed = 0;
    if (argc > 1 && !full) {
        fprintf(stderr, "usage: run_lab [--full]\n");
        return 2;
    }
    for (size_t i = 0; lab_experiments[i] != NULL; i++)
        for (const LabCase *which = lab_experiments[i]->cases; which->name != NULL; which++)
            failed += run_case(lab_experiments[i],
                               which->counted != NULL && !full ? which->counted : which);
    return failed > 0;
}
