/* Replaces the CUDA backend in a build without CUDA. Functions that can fail return
 * IMG_E_UNAVAILABLE. */
#include "kernels/core/exec/exec_priv.h"

static ImgStatus not_here(ImgError *err)
{
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "this build has no CUDA backend; use a build with the CUDA Toolkit "
                    "(IMGTOOL_CUDA=ON), or use the CPU");
}

bool img_cuda_in_build(void)
{
    return false;
}

ImgStatus img_cuda_devices(ImgDeviceInfo *devices, int capacity, int *count, ImgError *err)
{
    (void)devices;
    (void)capacity;
    *count = 0;
    return not_here(err);
}

ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err)
{
    (void)device;
    *cuda = NULL;
    return not_here(err);
}

void img_cuda_close(ImgCuda *cuda)
{
    (void)cuda;
}

const char *img_cuda_name(const ImgCuda *cuda)
{
    (void)cuda;
    return "none";
}

void img_cuda_free_memory(ImgCuda *cuda)
{
    (void)cuda;
}

bool img_cuda_unpin(int device, void *memory)
{
    (void)device;
    (void)memory;
    return true;
}

ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgCudaWork *work, ImgHeld *held,
                          ImgRunReport *report, ImgError *err)
{
    (void)cuda;
    (void)work;
    (void)held;
    (void)report;
    return not_here(err);
}

uint64_t img_group_bytes(const ImgGroupPicture *picture)
{
    (void)picture;
    return 0;
}

ImgStatus img_group_run(ImgCuda *cuda, ImgGroupPicture *const *pictures, size_t count,
                        pthread_mutex_t *turn, ImgError *err)
{
    (void)cuda;
    (void)pictures;
    (void)count;
    (void)turn;
    return not_here(err);
}

ImgStatus img_group_enter(const ImgCuda *cuda, ImgError *err)
{
    (void)cuda;
    return not_here(err);
}

ImgStatus img_cuda_enter(int device, int *before, ImgError *err)
{
    (void)device;
    *before = 0;
    return not_here(err);
}

void img_cuda_leave(int before)
{
    (void)before;
}

ImgStatus img_cuda_queue(const ImgPlan *plan, const ImgDeviceLayout *layout,
                         const ImgDeviceRun *run, ImgError *err)
{
    (void)plan;
    (void)layout;
    (void)run;
    return not_here(err);
}

ImgStatus img_cuda_allocate(int device, size_t bytes, void **memory, ImgError *err)
{
    (void)device;
    (void)bytes;
    *memory = NULL;
    return not_here(err);
}

void img_cuda_free(int device, void *memory)
{
    (void)device;
    (void)memory;
}

ImgStatus img_cuda_copy(int device, const ImgRowsCopy *copy, void *stream, ImgError *err)
{
    (void)device;
    (void)copy;
    (void)stream;
    return not_here(err);
}

ImgStatus img_cuda_wait(int device, void *stream, ImgError *err)
{
    (void)device;
    (void)stream;
    return not_here(err);
}

ImgStatus img_cuda_stream_create(int device, void **stream, ImgError *err)
{
    (void)device;
    *stream = NULL;
    return not_here(err);
}

void img_cuda_stream_destroy(int device, void *stream)
{
    (void)device;
    (void)stream;
}

ImgStatus img_cuda_stream_follow(int device, void *stream, void *other, ImgError *err)
{
    (void)device;
    (void)stream;
    (void)other;
    return not_here(err);
}
