/* Functions for running launches in the emulator. Both operations (model.cpp) and experiments
 * (model_lab.cpp) use them. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_RUN_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_RUN_H

#include <functional>
#include <stddef.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/status.h"

namespace emulator
{

/* Owner of memory on the emulated device, which it frees in its destructor. The address is NULL for
 * 0 bytes. */
class DeviceMemory
{
  public:
    DeviceMemory() = default;
    DeviceMemory(const DeviceMemory &) = delete;
    DeviceMemory &operator=(const DeviceMemory &) = delete;
    ~DeviceMemory();
    ImgStatus allocate(size_t bytes, ImgError *err);
    void *get() const
    {
        return memory_;
    }

  private:
    void *memory_ = nullptr;
};

/* Calls `launch`, and sets *counts to the counts of the kernels that it launches. Fails with
 * IMG_E_DEVICE if the emulator finds a fault, even if `launch` succeeds. */
ImgStatus count_launches(const std::function<ImgStatus()> &launch, ImgLaunchCounts *counts,
                         ImgError *err);

} // namespace emulator

#endif
