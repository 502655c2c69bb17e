#include "app/bench/model/model_run.h"

#include "app/bench/model/emulator/emulator.h"
#include "kernels/core/cuda/cuda_util.h"

namespace emulator
{

namespace
{

ImgLaunchCounts sum_of_kernels()
{
    ImgLaunchCounts sum = {};
    for (const KernelCounts &kernel : counts()) {
        sum.launches += kernel.launches;
        sum.blocks += kernel.blocks;
        sum.warps += kernel.warps;
        sum.split_warps += kernel.divergent_warps;
        sum.split_branches += kernel.all.divergent_branches;
        /* In both arrays, index 0 counts reads and index 1 counts writes. */
        for (int i = 0; i < IMG_ACCESSES; i++) {
            sum.shared_requests[i] += kernel.all.requests[i];
            sum.shared_wavefronts[i] += kernel.all.wavefronts[i];
            sum.global_requests[i] += kernel.all.global_requests[i];
            sum.global_sectors[i] += kernel.all.global_sectors[i];
        }
    }
    return sum;
}

} // namespace

DeviceMemory::~DeviceMemory()
{
    (void)cudaFree(memory_);
}

ImgStatus DeviceMemory::allocate(size_t bytes, ImgError *err)
{
    if (bytes > 0)
        CUDA_TRY(cudaMalloc(&memory_, bytes), err);
    return IMG_OK;
}

ImgStatus count_launches(const std::function<ImgStatus()> &launch, ImgLaunchCounts *counts,
                         ImgError *err)
{
    clear_faults();
    clear_counts();
    options().counting = true;
    ImgStatus status = launch();
    options().counting = false;
    if (!faults().empty()) {
        img_error_clear(err);
        status = img_fail(err, IMG_E_DEVICE, "%s%s", faults()[0].text.c_str(),
                          faults().size() > 1 ? " (the first of several faults)" : "");
    }
    if (status == IMG_OK)
        *counts = sum_of_kernels();
    clear_faults();
    clear_counts();
    return status;
}

} // namespace emulator
