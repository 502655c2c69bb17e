/* Macros to launch kernels and to declare shared memory. nvcc expands them to CUDA's own syntax.
 * The emulator (app/bench/model) runs the same sources thread by thread without a GPU. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_CUDA_LAUNCH_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_CUDA_LAUNCH_CUH

#include <cuda_runtime.h> /* app/bench/model has its own version of this header */

#ifdef IMGTOOL_EMULATOR
#define IMG_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    do {                                                                                           \
        auto emulator_kernel_ = (kernel);                                                          \
        (void)(stream);                                                                            \
        emulator::launch((const void *)emulator_kernel_, (grid), (block), (shared_bytes),          \
                         [=] { emulator_kernel_(__VA_ARGS__); });                                  \
    } while (0)

#define IMG_SHARED(type, name, extents)                                                            \
    typedef type name##_array_ extents;                                                            \
    static char name##_site_;                                                                      \
    name##_array_ &name =                                                                          \
        *(name##_array_ *)emulator::shared_array(&name##_site_, sizeof(name##_array_))

#define IMG_SHARED_DYNAMIC(type, name) type *name = (type *)emulator::dynamic_shared()

#define IMG_LAUNCH_EARLY IMG_LAUNCH
#define IMG_AWAIT_PREVIOUS()
#else

/* Launches kernel<<<grid, block, shared_bytes, stream>>>(arguments). A kernel whose template
 * arguments contain commas must be in parentheses. After a failed CUDA call, launches nothing until
 * cudaGetLastError has returned the error. Otherwise a kernel could read data that a failed
 * predecessor never wrote, access invalid addresses or never end. */
#define IMG_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    do {                                                                                           \
        if (cudaPeekAtLastError() == cudaSuccess)                                                  \
            kernel<<<(grid), (block), (shared_bytes), (cudaStream_t)(stream)>>>(__VA_ARGS__);      \
    } while (0)

/* Works like IMG_LAUNCH, but the kernel may start while its predecessor in the stream still runs
 * (programmatic dependent launch). This hides about 2 us of start-up on an H100. Code that depends
 * on the predecessor must come after IMG_AWAIT_PREVIOUS(). The predecessor must itself be launched
 * with IMG_LAUNCH, or all its threads must begin with IMG_AWAIT_PREVIOUS(). Either way, all kernels
 * before the predecessor have finished when IMG_AWAIT_PREVIOUS() returns. GPUs before compute
 * capability 9.0 run the kernels one after the other. */
#define IMG_LAUNCH_EARLY(kernel, grid, block, shared_bytes, stream, ...)                           \
    img_launch_early(kernel, (grid), (block), (shared_bytes), (cudaStream_t)(stream), __VA_ARGS__)

template <typename... Parameters, typename... Arguments>
inline void img_launch_early(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                             size_t shared_bytes, cudaStream_t stream, Arguments... arguments)
{
    int device = 0, major = 0;
    if (cudaPeekAtLastError() != cudaSuccess)
        return;
    (void)cudaGetDevice(&device);
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = major >= 9 ? 1 : 0;
    /* no check is needed here: cudaGetLastError returns the error later */
    (void)cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

static __device__ __forceinline__ void img_await_previous()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
#define IMG_AWAIT_PREVIOUS()            img_await_previous()

/* Declares an array in shared memory. Example: IMG_SHARED(uint4, tile, [ROWS][COLUMNS]); */
#define IMG_SHARED(type, name, extents) __shared__ type name extents

/* Declares the shared memory whose size is a parameter of the launch. Example:
 * IMG_SHARED_DYNAMIC(uint4, tile); */
#define IMG_SHARED_DYNAMIC(type, name)  extern __shared__ type name[]

#endif

/* --- Dynamic shared memory -------------------------------------------------------------------- */

/* Allows the kernel to use all the shared memory that the device offers to a block. The limit
 * applies to the kernel in all threads of the process: setting it per launch made concurrent
 * launches with larger needs fail. If all launches of a kernel need the same amount, that amount is
 * also a safe limit. */
template <typename Kernel> cudaError_t allow_shared_memory(Kernel *kernel)
{
    int device = 0, most = 0;
    struct cudaFuncAttributes own = {};
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (code == cudaSuccess)
        code = cudaFuncGetAttributes(&own, kernel);
    if (code != cudaSuccess)
        return code;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                most - (int)own.sharedSizeBytes);
}

#endif
