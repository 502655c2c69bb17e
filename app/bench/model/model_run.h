/* Functions shared by operations and experiments in the emulator. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_RUN_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_RUN_H

#include <functional>
#include <stddef.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/status.h"

namespace emulator
{

/* Device memory of the emulator, freed at the end of its scope; NULL for 0 bytes. */
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

/* Counts the launches of `launch`. A fault is IMG_E_DEVICE, whatever `launch` returns. */
ImgStatus count_launches(const std::function<ImgStatus()> &launch, ImgLaunchCounts *counts,
                         ImgError *err);

} // namespace emulator

#endif
