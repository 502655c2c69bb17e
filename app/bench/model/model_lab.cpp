/* Runs the experiments of `imgtool bench lab` in the emulator, as model.h describes. */
#include <string.h>

#include "app/bench/experiments/experiment.h"
#include "app/bench/model/model.h"
#include "app/bench/model/model_run.h"

using namespace emulator;

namespace
{

struct Trial {
    const LabExperiment *experiment;
    const LabCase *which;
    const LabVariant *variant;
};

/* Searches for the case called `name`: `which`, or a case from which its counts come
 * (LabCase.counted and LabCase.less). Returns NULL if there is none. */
const LabCase *find_case(const LabCase *which, const char *name)
{
    if (which == nullptr || strcmp(which->name, name) == 0)
        return which;
    const LabCase *found = find_case(which->counted, name);
    return found != nullptr ? found : find_case(which->less, name);
}

const LabCase *find_case(const LabExperiment *experiment, const char *name)
{
    const LabCase *found = lab_find_case(experiment, name);
    for (const LabCase *which = experiment->cases; found == nullptr && which->name != nullptr;
         which++)
        found = find_case(which, name);
    return found;
}

ImgStatus find(const char *experiment, const char *which, const char *variant, Trial *trial,
               ImgError *err)
{
    trial->experiment = lab_find(experiment);
    if (trial->experiment == nullptr)
        return img_fail(err, IMG_E_USAGE, "there is no experiment '%s'", experiment);
    trial->which = find_case(trial->experiment, which);
    if (trial->which == nullptr)
        return img_fail(err, IMG_E_USAGE, "experiment %s has no case '%s'", experiment, which);
    trial->variant = lab_find_variant(trial->experiment, variant);
    if (trial->variant == nullptr)
        return img_fail(err, IMG_E_USAGE, "experiment %s has no variant '%s'", experiment, variant);
    if (trial->experiment->applies != nullptr &&
        !trial->experiment->applies(trial->variant, trial->which))
        return img_fail(err, IMG_E_UNSUPPORTED, "variant '%s' of experiment %s does not do '%s'",
                        variant, experiment, which);
    return IMG_OK;
}

ImgStatus run(const Trial &trial, const void *in, void *out, ImgLaunchCounts *counts, ImgError *err)
{
    LabSize size = trial.experiment->size(trial.which);
    DeviceMemory device_in, device_out;
    ImgStatus status = device_in.allocate(size.in, err);
    if (status == IMG_OK)
        status = device_out.allocate(size.out, err);
    if (status != IMG_OK)
        return status;
    if (size.in > 0)
        memcpy(device_in.get(), in, size.in);
    status = count_launches(
        [&] {
            return trial.experiment->launch(trial.variant, trial.which, device_in.get(),
                                            device_out.get(), nullptr, err);
        },
        counts, err);
    if (status == IMG_OK && size.out > 0)
        memcpy(out, device_out.get(), size.out);
    return status;
}

} // namespace

ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err)
{
    Trial trial = {};
    ImgStatus status = find(experiment, which, variant, &trial, err);
    if (status == IMG_OK)
        status = run(trial, in, out, counts, err);
    if (status == IMG_E_DEVICE)
        img_error_prefix(err, "experiment %s, %s, %s, emulated", experiment, which, variant);
    return status;
}
