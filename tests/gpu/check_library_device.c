/* check_library_device: compares imgtool_run_device on pictures in device memory with imgtool_run
 * on the CPU and on the GPU, byte for byte. imgtool_run_device runs on a stream of the caller, and
 * must stay within the workspace whose size it states. The program and the library have separate
 * copies of the CUDA runtime. Exit code 77 if there is no GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_pictures.h"

enum { NO_GPU = 77 };

static const char *const pipelines[] = {
    "",
    "rotate",
    "rotate | flip | invert",
    "rotate angle=7.5 background=white",
    "resize 50% | sharpen amount=0.5",
    "resize 150% filter=bicubic | crop x=3 y=5",
    "blur sigma=2 | gamma value=1.4 | saturation factor=1.3",
    "boxblur radius=5 | median | erode",
    "equalize | clahe",
    "autolevel | threshold value=128",
    "grayscale | canny",
    "pad left=3 top=5 background=red | thumbnail 40x40",
    "depth bits=16 | denoise strength=8 | depth bits=8",
};
static const imgtool_format formats[] = {
    {IMGTOOL_GRAY, 8},  {IMGTOOL_GRAY_ALPHA, 8}, {IMGTOOL_RGB, 8},   {IMGTOOL_RGBA, 8},
    {IMGTOOL_GRAY, 16}, {IMGTOOL_RGB, 16},       {IMGTOOL_RGBA, 16},
};
static const int32_t sizes[][2] = {{1, 1}, {61, 47}, {640, 333}, {1031, 1027}};

/* Runs the pipeline on the GPU. `from` is in host memory. The result is copied to `result`, whose
 * memory belongs to `context`. */
static void run_on_device(imgtool_context *context, const imgtool_pipeline *pipeline,
                          const imgtool_picture *from, imgtool_picture *result, const char *what)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    cudaStream_t stream;
    void *workspace = NULL;
    size_t bytes = 0;
    OnDevice source = make_on_device(*from), target = make_on_device(*result);
    cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    copy(from, &source.picture, cudaMemcpyHostToDevice);
    expect(imgtool_device_workspace(context, pipeline, &source.picture, &bytes, &error) ==
               IMGTOOL_OK,
           what, error.message);
    cuda(cudaMalloc(&workspace, bytes + GUARD), "cudaMalloc");
    cuda(cudaMemset(workspace, GUARD_VALUE, bytes + GUARD), "cudaMemset");
    cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    expect(imgtool_run_device(context, pipeline, &source.picture, &target.picture, workspace,
                              stream, &error) == IMGTOOL_OK,
           what, error.message);
    cuda(cudaStreamSynchronize(stream), what);
    expect_guard(workspace, bytes, what);
    expect_guard(target.picture.pixels, target.bytes, what);
    expect_gaps(&target.picture, what);
    copy(&target.picture, result, cudaMemcpyDeviceToHost);
    cuda(cudaFree(workspace), "cudaFree");
    cuda(cudaFree(source.picture.pixels), "cudaFree");
    cuda(cudaFree(target.picture.pixels), "cudaFree");
    cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

/* Compares the results of the steps `text` on the picture `from`. Returns false if the steps do not
 * apply to it. */
static bool check(imgtool_context *cpu, imgtool_context *gpu, const char *text,
                  const imgtool_picture *from)
{
    char what[160];
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline = NULL;
    imgtool_picture expected = IMGTOOL_PICTURE_INIT, got = IMGTOOL_PICTURE_INIT;
    snprintf(what, sizeof what, "%s, %d x %d, colour %d, %d bits", text, from->width, from->height,
             (int)from->format.color, from->format.bits);
    expect(imgtool_pipeline_parse(cpu, text, &pipeline, &error) == IMGTOOL_OK, what, error.message);
    const imgtool_status status = imgtool_run(cpu, pipeline, from, &expected, NULL, &error);
    expect(status == IMGTOOL_OK || status == IMGTOOL_E_UNSUPPORTED, what, error.message);
    if (status == IMGTOOL_OK) {
        expect(imgtool_pipeline_plan(gpu, pipeline, from, NULL, &got, NULL, &error) == IMGTOOL_OK &&
                   imgtool_picture_allocate(gpu, &got, &error) == IMGTOOL_OK,
               what, error.message);
        run_on_device(gpu, pipeline, from, &got, what);
        expect_equal(&expected, &got, what);
        memset(got.pixels, 0, got.stride * (size_t)got.height);
        expect(imgtool_run(gpu, pipeline, from, &got, NULL, &error) == IMGTOOL_OK, what,
               error.message);
        expect_equal(&expected, &got, what);
    }
    imgtool_picture_free(gpu, &got);
    imgtool_picture_free(cpu, &expected);
    imgtool_pipeline_destroy(pipeline);
    return status == IMGTOOL_OK;
}

static imgtool_picture make_picture(imgtool_context *context, imgtool_format format,
                                    const int32_t size[2])
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    uint32_t random = 12345;
    picture.width = size[0];
    picture.height = size[1];
    picture.format = format;
    expect(imgtool_picture_allocate(context, &picture, &error) == IMGTOOL_OK, "a picture",
           error.message);
    for (size_t i = 0; i < picture.stride * (size_t)picture.height; i++) {
        random = random * 1664525 + 1013904223;
        ((unsigned char *)picture.pixels)[i] = (unsigned char)((i >> 5) + (random >> 28));
    }
    return picture;
}

static imgtool_context *open_context(imgtool_backend backend)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_context *context = NULL;
    config.backend = backend;
    expect(imgtool_context_create(&config, &context, &error) == IMGTOOL_OK, "a context",
           error.message);
    return context;
}

/* Expects an error for each invalid call. The current device of the thread must stay the same. */
static void check_refusals(imgtool_context *gpu, const imgtool_picture *like)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline = NULL;
    size_t bytes = 0;
    OnDevice source = make_on_device(*like), target = make_on_device(*like);
    expect(imgtool_pipeline_parse(gpu, "trim", &pipeline, &error) == IMGTOOL_OK, "trim", "");
    expect(imgtool_device_workspace(gpu, pipeline, &source.picture, &bytes, &error) ==
               IMGTOOL_E_UNSUPPORTED,
           "trim", "its size depends on pixels");
    imgtool_pipeline_destroy(pipeline);
    expect(imgtool_pipeline_parse(gpu, "invert", &pipeline, &error) == IMGTOOL_OK, "invert", "");
    target.picture.width--;
    expect(imgtool_run_device(gpu, pipeline, &source.picture, &target.picture, NULL, NULL,
                              &error) == IMGTOOL_E_USAGE,
           "invert", "another size is accepted");
    target.picture.width++;
    target.picture.pixels = (char *)target.picture.pixels + 4;
    expect(imgtool_run_device(gpu, pipeline, &source.picture, &target.picture, NULL, NULL,
                              &error) == IMGTOOL_E_USAGE,
           "invert", "rows that are not aligned are accepted");
    imgtool_pipeline_destroy(pipeline);
    cuda(cudaFree(source.picture.pixels), "cudaFree");
    cuda(cudaFree((char *)target.picture.pixels - 4), "cudaFree");
}

/* Copies the picture to device memory that the library allocates, and back. */
static void check_memory(imgtool_context *gpu, const imgtool_picture *picture)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture there = *picture, back = IMGTOOL_PICTURE_INIT;
    back.width = picture->width;
    back.height = picture->height;
    back.format = picture->format;
    there.stride = (row_bytes(picture) + 15) / 16 * 16;
    expect(imgtool_device_allocate(gpu, there.stride * (size_t)there.height, &there.pixels,
                                   &error) == IMGTOOL_OK &&
               (uintptr_t)there.pixels % 256 == 0 &&
               imgtool_picture_allocate(gpu, &back, &error) == IMGTOOL_OK &&
               imgtool_device_copy(gpu, picture, &there, NULL, &error) == IMGTOOL_OK &&
               imgtool_device_wait(gpu, NULL, &error) == IMGTOOL_OK &&
               imgtool_device_copy(gpu, &there, &back, NULL, &error) == IMGTOOL_OK,
           "memory of the library's", error.message);
    expect_equal(picture, &back, "memory of the library's");
    imgtool_device_free(0, there.pixels);
    imgtool_picture_free(gpu, &back);
    expect(imgtool_device_allocate(gpu, SIZE_MAX, &there.pixels, &error) == IMGTOOL_E_MEMORY &&
               there.pixels == NULL,
           "more memory than there is", error.message);
}

int main(void)
{
    size_t devices = 0;
    int checked = 0, skipped = 0;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (imgtool_devices(NULL, 0, &devices, &error) != IMGTOOL_OK || devices == 0) {
        printf("skipped: no GPU: %s\n", error.message);
        return NO_GPU;
    }
    imgtool_context *cpu = open_context(IMGTOOL_BACKEND_CPU),
                    *gpu = open_context(IMGTOOL_BACKEND_CUDA);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            imgtool_picture picture = make_picture(cpu, formats[i], sizes[j]);
            for (size_t k = 0; k < sizeof pipelines / sizeof *pipelines; k++) {
                const bool fits = check(cpu, gpu, pipelines[k], &picture);
                checked += fits;
                skipped += !fits;
            }
            check_memory(gpu, &picture);
            if (i == 0 && j == 1)
                check_refusals(gpu, &picture);
            imgtool_picture_free(cpu, &picture);
        }
    imgtool_context_destroy(gpu);
    imgtool_context_destroy(cpu);
    printf("%d runs on device memory give the CPU's bytes; %d do not apply\n", checked, skipped);
    return checked > 0 ? 0 : 1;
}
