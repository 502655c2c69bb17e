/* device FILE.png: a picture that lies on a GPU already, blurred there on a stream of ours. */
#include <cuda_runtime_api.h>
#include <imgtool.h>
#include <stdio.h>

static void *allocate(size_t bytes)
{
    void *memory = NULL;
    return cudaMalloc(&memory, bytes > 0 ? bytes : 1) == cudaSuccess ? memory : NULL;
}

static imgtool_picture on_device(imgtool_picture like)
{
    like.stride = ((size_t)like.width * imgtool_pixel_size(like.format) + 15) / 16 * 16;
    like.owned = false;
    like.pixels = allocate(like.stride * (size_t)like.height);
    return like;
}

/* Of what CUDA itself does, which sets no message of the library's. */
static imgtool_status failed(imgtool_error *error)
{
    error->status = IMGTOOL_E_DEVICE;
    snprintf(error->message, sizeof error->message, "%s", cudaGetErrorString(cudaGetLastError()));
    return error->status;
}

static imgtool_status run(imgtool_context *context, const imgtool_pipeline *steps,
                          const imgtool_picture *picture, imgtool_error *error)
{
    const size_t row = (size_t)picture->width * imgtool_pixel_size(picture->format);
    const size_t height = (size_t)picture->height;
    size_t bytes = 0;
    cudaStream_t stream;
    imgtool_status status = imgtool_device_workspace(context, steps, picture, &bytes, error);
    if (status != IMGTOOL_OK)
        return status;
    const imgtool_picture from = on_device(*picture), to = on_device(*picture);
    void *workspace = allocate(bytes);
    if (from.pixels == NULL || to.pixels == NULL || workspace == NULL ||
        cudaStreamCreate(&stream) != cudaSuccess ||
        cudaMemcpy2DAsync(from.pixels, from.stride, picture->pixels, picture->stride, row, height,
                          cudaMemcpyHostToDevice, stream) != cudaSuccess)
        return failed(error);
    status = imgtool_run_device(context, steps, &from, &to, workspace, stream, error);
    if (status == IMGTOOL_OK &&
        (cudaMemcpy2DAsync(picture->pixels, picture->stride, to.pixels, to.stride, row, height,
                           cudaMemcpyDeviceToHost, stream) != cudaSuccess ||
         cudaStreamSynchronize(stream) != cudaSuccess))
        return failed(error);
    return status;
}

int main(int argc, char **argv)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_pipeline *steps = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    size_t devices = 0;
    if (imgtool_devices(NULL, 0, &devices, &error) != IMGTOOL_OK) {
        printf("skipped: %s\n", error.message);
        return 77;
    }
    config.backend = IMGTOOL_BACKEND_CUDA;
    imgtool_status status = imgtool_context_create(&config, &context, &error);
    picture.format.color = IMGTOOL_RGB;
    if (status == IMGTOOL_OK)
        status = imgtool_read_file(context, argc == 2 ? argv[1] : "", &picture, NULL, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_parse(context, "blur sigma=3 | invert", &steps, &error);
    if (status == IMGTOOL_OK)
        status = run(context, steps, &picture, &error);
    printf("%s\n", status == IMGTOOL_OK ? "done" : error.message);
    imgtool_pipeline_destroy(steps);
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK ? 0 : 1; /* which frees what is on the device, too */
}
