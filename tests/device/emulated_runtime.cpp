/* Functions of the CUDA runtime that only the executor calls, for the emulator (app/bench/model).
 * Streams do everything at once, and pinned memory is ordinary host memory. Resources that are not
 * released stay reachable, so that LeakSanitizer reports only memory that the program itself has
 * lost. */
#include <cuda_runtime_api.h>
#include <mutex>
#include <set>
#include <stdlib.h>

namespace
{

std::mutex mutex;
std::set<void *> &host_memory = *new std::set<void *>, &pinned = *new std::set<void *>;

cudaError_t add(std::set<void *> &to, void *memory)
{
    std::lock_guard<std::mutex> lock(mutex);
    return to.insert(memory).second ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t remove(std::set<void *> &from, void *memory)
{
    std::lock_guard<std::mutex> lock(mutex);
    return from.erase(memory) == 1 ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace

extern "C" {

cudaError_t cudaSetDeviceFlags(unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t size)
{
    *memory = malloc(size);
    return *memory != nullptr ? add(host_memory, *memory) : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *memory)
{
    if (memory == nullptr)
        return cudaSuccess;
    const cudaError_t code = remove(host_memory, memory);
    if (code == cudaSuccess)
        free(memory);
    return code;
}

cudaError_t cudaHostRegister(void *memory, size_t, unsigned)
{
    return add(pinned, memory);
}

cudaError_t cudaHostUnregister(void *memory)
{
    return remove(pinned, memory);
}
}
