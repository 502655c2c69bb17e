/* The one way to launch a kernel and the one way to declare shared memory. nvcc turns them into the
 * language's own; the model of a GPU (app/bench/model) runs the same sources thread by thread
 * without a GPU. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_CUDA_LAUNCH_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_CUDA_LAUNCH_CUH

#include <cuda_runtime.h> /* app/bench/model has one of its own */

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

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments); a kernel whose template arguments hold
 * commas goes in parentheses. Nothing is launched after a call that has failed, until somebody asks
 * for that (cudaGetLastError): a kernel would read what the one before it has not written, and so
 * follow wild indices, or wait for ever. */
#define IMG_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    do {                                                                                           \
        if (cudaPeekAtLastError() == cudaSuccess)                                                  \
            kernel<<<(grid), (block), (shared_bytes), (cudaStream_t)(stream)>>>(__VA_ARGS__);      \
    } while (0)

/* The same, but the kernel may start while the one before it in the stream still runs, which hides
 * some 2 us of start-up on an H100. What depends on that one must come after IMG_AWAIT_PREVIOUS().
 * That one must have been launched plainly, or begin with IMG_AWAIT_PREVIOUS() in all its threads,
 * so that all before it is done. GPUs before compute capability 9.0 wait as ever. */
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
    (void)cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...); /* see cudaGetLastError */
}

static __device__ __forceinline__ void img_await_previous()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
#define IMG_AWAIT_PREVIOUS()            img_await_previous()

/* IMG_SHARED(uint4, tile, [ROWS][COLUMNS]); */
#define IMG_SHARED(type, name, extents) __shared__ type name extents

/* IMG_SHARED_DYNAMIC(uint4, tile); as many as the launch asks for. */
#define IMG_SHARED_DYNAMIC(type, name)  extern __shared__ type name[]

#endif
#endif
