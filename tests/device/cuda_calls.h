/* A table of every function of the CUDA runtime that imgtool calls, and of how it can fail. Files
 * that include the table define CALL and WAIT, and TAKE and GIVE for functions that allocate and
 * release. TAKE_BYTES is TAKE for memory whose size has a limit (DEVICE_LARGEST); it needs a
 * parameter `bytes`. The arguments of these macros are the class of failure, the kind of resource,
 * the name, the parameters, and the arguments to pass on. Functions that only report errors are
 * left out. CMakeLists.txt and check_table.sh read the names here. */

CALL(SET_UP, cudaGetDeviceCount, (int *count), (count))
CALL(SET_UP, cudaGetDeviceProperties, (struct cudaDeviceProp * properties, int device),
     (properties, device))
CALL(SET_UP, cudaDriverGetVersion, (int *version), (version))
CALL(SET_UP, cudaRuntimeGetVersion, (int *version), (version))
CALL(SET_UP, cudaSetDevice, (int device), (device))
CALL(SET_UP, cudaSetDeviceFlags, (unsigned flags), (flags))
TAKE(SET_UP, STREAMS, cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags),
     (stream, flags))

CALL(ASK, cudaGetDevice, (int *device), (device))
CALL(ASK, cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device),
     (value, attribute, device))
CALL(ASK, cudaFuncGetAttributes, (struct cudaFuncAttributes * own, const void *kernel),
     (own, kernel))
CALL(ASK, cudaFuncSetAttribute, (const void *kernel, enum cudaFuncAttribute attribute, int value),
     (kernel, attribute, value))

TAKE_BYTES(ALLOCATE, MEMORY, cudaMalloc, (void **memory, size_t bytes), (memory, bytes))
TAKE(ALLOCATE, HOST_MEMORY, cudaMallocHost, (void **memory, size_t bytes), (memory, bytes))
TAKE(ALLOCATE, PINNED, cudaHostRegister, (void *memory, size_t bytes, unsigned flags),
     (memory, bytes, flags))

CALL(COPY, cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream))
CALL(COPY, cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, to_pitch, from, from_pitch, width, height, kind, stream))
CALL(COPY, cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
     (to, value, bytes, stream))

/* The functions that <<<>>> and IMG_LAUNCH_EARLY call. The emulator calls failing_calls_launch
 * before each launch instead. */
#ifndef IMGTOOL_EMULATOR
CALL(LAUNCH, cudaLaunchKernel,
     (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     (kernel, grid, block, arguments, shared, stream))
#if CUDART_VERSION >= 13000
CALL(LAUNCH, __cudaLaunchKernel,
     (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     (kernel, grid, block, arguments, shared, stream))
#endif
CALL(LAUNCH, cudaLaunchKernelExC,
     (const cudaLaunchConfig_t *how, const void *kernel, void **arguments),
     (how, kernel, arguments))
#endif

WAIT(SYNCHRONISE, cudaStreamSynchronize, (cudaStream_t stream), (stream))
WAIT(SYNCHRONISE, cudaEventSynchronize, (cudaEvent_t event), (event))

TAKE(EVENT, EVENTS, cudaEventCreate, (cudaEvent_t * event), (event))
TAKE(EVENT, EVENTS, cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
CALL(EVENT, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
CALL(EVENT, cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
     (stream, event, flags))
CALL(EVENT, cudaEventQuery, (cudaEvent_t event), (event))
CALL(EVENT, cudaEventElapsedTime, (float *milliseconds, cudaEvent_t start, cudaEvent_t end),
     (milliseconds, start, end))

GIVE(MEMORY, cudaFree, void *)
GIVE(HOST_MEMORY, cudaFreeHost, void *)
GIVE(PINNED, cudaHostUnregister, void *)
GIVE(EVENTS, cudaEventDestroy, cudaEvent_t)
GIVE(STREAMS, cudaStreamDestroy, cudaStream_t)
