/* device FILE.png: copies a picture to a GPU and blurs it there, on a CUDA stream of this
 * program. */
#include <cuda_runtime_api.h>
#include <imgtool.h>
#include <stdio.h>

static imgtool_picture on_device(imgtool_picture like)
{
    like.stride = ((size_t)like.width * imgtool_pixel_size(like.format) + 15) / 16 * 16;
    like.owned = false;
    return cudaMalloc(&like.pixels, like.stride * (size_t)like.height) == cudaSuccess
               ? like
               : (imgtool_picture)IMGTOOL_PICTURE_INIT;
}

int main(int argc, char **argv)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_pipeline *steps = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    void *workspace = NULL;
    size_t bytes = 0, devices = 0;
    cudaStream_t stream;
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
        status = imgtool_device_workspace(context, steps, &picture, &bytes, &error);
    if (status == IMGTOOL_OK && cudaStreamCreate(&stream) == cudaSuccess &&
        cudaMalloc(&workspace, bytes) == cudaSuccess) {
        const imgtool_picture from = on_device(picture), to = on_device(picture);
        const size_t row = (size_t)picture.width * imgtool_pixel_size(picture.format);
        cudaMemcpy2DAsync(from.pixels, from.stride, picture.pixels, picture.stride, row,
                          (size_t)picture.height, cudaMemcpyHostToDevice, stream);
        status = imgtool_run_device(context, steps, &from, &to, workspace, stream, &error);
        cudaMemcpy2DAsync(picture.pixels, picture.stride, to.pixels, to.stride, row,
                          (size_t)picture.height, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
    }
    const cudaError_t failure = cudaGetLastError(); /* an error of any CUDA call above */
    printf("%s\n", status != IMGTOOL_OK     ? error.message
                   : failure != cudaSuccess ? cudaGetErrorString(failure)
                                            : "done");
    imgtool_pipeline_destroy(steps);
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    /* The device memory is freed when the program ends. */
    return status == IMGTOOL_OK && failure == cudaSuccess ? 0 : 1;
}
