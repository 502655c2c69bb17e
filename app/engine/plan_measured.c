/* Applies limits to sizes that are measured during a run, which were unknown when the plan was
 * made. A result of such a size can need more memory than was planned. */
#include "app/engine/plan.h"
#include "app/engine/share/resources.h"
#include "kernels/core/minmax.h"

/* Returns the memory for encoding, in bytes. It depends on the metadata, which at this time is
 * either in load->metadata or still in the source, so the larger need counts. */
static uint64_t encoding_bytes(const PlanLimits *own, ImgShape after)
{
    const Load *load = own->load;
    const ImgRoom room = {own->threads, img_max64(own->most_bytes, load->room),
                          load->store != NULL};
    return img_max64(
        img_plan_encoding_bytes(load, own->format, after, &load->metadata, room),
        img_plan_encoding_bytes(load, own->format, after, img_source_metadata(load->source), room));
}

/* Requests `need` bytes for the run. Fails at once if memory is short: a job that holds a picture
 * must not block on memory, because that could deadlock. */
static ImgStatus ask_for(const PlanLimits *own, uint64_t need, ImgError *err)
{
    Load *load = own->load;
    const Place *place = own->place;
    const uint64_t bytes = need + load->kept + img_plan_bytes_beside(load, load->report.bytes);
    return place == NULL || img_place_grow(place, bytes) ? IMG_OK : img_plan_lacks(load, need, err);
}

ImgStatus img_plan_admit(const PlanLimits *own, uint64_t need, ImgError *err)
{
    Load *load = own->load;
    load->lacking = 0;
    if (need <= load->room)
        return IMG_OK;
    const uint64_t all = need + load->held;
    ImgStatus status = img_resources_check_memory(load->raw, all + img_load_store_bytes(load, all),
                                                  &load->limits, err);
    if (status == IMG_OK)
        status = ask_for(own, need, err);
    if (status == IMG_OK)
        load->room = need;
    return status;
}

static ImgStatus admit(void *context, ImgShape after, uint64_t bytes, ImgError *err)
{
    const PlanLimits *own = context;
    return img_plan_admit(own, img_max64(bytes, encoding_bytes(own, after)), err);
}

void img_plan_limit_exec(PlanLimits *own, ImgExec *exec)
{
    const Load *load = own->load;
    const uint64_t all = load->limits.max_memory;
    const uint64_t held = load->held + img_load_store_bytes(load, 0);
    own->most_bytes = own->place == NULL && all > held ? all - held : load->room;
    img_exec_set_limits(exec, &(ImgExecLimits){.max_pixels = load->limits.max_pixels,
                                               .more_pixels = load->limits.more_pixels,
                                               .room_bytes = load->room,
                                               .most_bytes = own->most_bytes,
                                               .admit = admit,
                                               .context = own});
}
