/* Functions that operations and experiments share to run in the emulator. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_RUN_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_RUN_H

#include <functional>
#include <stddef.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/status.h"

namespace emulator
{

/* Device memory of the emulator, which is freed at the end of the object's scope. NULL for 0
 * bytes. */
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

/* Runs `launch` and sets *counts to the counts of its launches. IMG_E_DEVICE if the emulator finds
 * a fault, whatever `launch` returns. */
ImgStatus count_launches(const std::function<ImgStatus()> &launch, ImgLaunchCounts *counts,
                         ImgError *err);

} // namespace emulator

#endif
