/* Queues the work of a batch on a GPU: the copy of the files, and then, group by group, decoding,
 * steps and conversion to the tensor. Groups follow each other in the stream and use the same
 * working memory. */
#include "app/library/tensors/device_batch.h"

#include <stdlib.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/many.h"

enum { GROUP_MOST = 16384 }; /* largest number of pictures of a group */

/* Consecutive pictures that are decoded together. */
typedef struct Group {
    size_t first, end;
    ImgPngCudaItem *items; /* pictures that are decoded as a batch; owned */
    size_t item_count;
    ImgManyPicture *steps; /* pictures that have steps; owned */
    size_t step_count;
    ImgMany *many;           /* NULL: no picture has steps */
    size_t pixels;           /* bytes of decoded pictures and results in the slot's block `work` */
    size_t work;             /* bytes after them, for decoding and then for steps */
    size_t jobs, room;       /* bytes of host memory for decoding and for steps */
    size_t jobs_at, room_at; /* offsets of these in the slot's block `host_lists` */
    size_t words_at;         /* index of the status word of the first item */
} Group;

/* The plan for queueing a batch. */
typedef struct Queue {
    ImgDeviceBatch *batch;
    Group *groups;
    size_t group_count;
    size_t lists_end, host_end, work; /* bytes of the lists, of all host lists, and of `work` */
} Queue;

/* --- Groups ----------------------------------------------------------------------------------- */

static size_t picture_bytes(ImgShape shape)
{
    return img_device_aligned(img_device_pitch(shape) * (size_t)shape.height +
                              IMG_DEVICE_ALIGNMENT);
}

static ImgPngCudaItem item_of(const ImgDevicePicture *picture)
{
    return (ImgPngCudaItem){
        picture->plan.before,
        picture->file,
        {picture->decoded.data, picture->decoded.stride},
    };
}

/* Returns the device memory that a picture adds to its group, approximately. */
static size_t estimate(const ImgDevicePicture *picture)
{
    const ImgPngCudaItem item = item_of(picture);
    return picture->on_cpu
               ? 0
               : 3 * picture_bytes(picture->plan.before) + picture_bytes(picture->plan.after) +
                     img_png_cuda_batch_bytes(&item, 1).device;
}

/* Divides the pictures into groups that need about an eighth of the device's memory each. */
static void make_groups(Queue *queue)
{
    const ImgDeviceBatch *batch = queue->batch;
    const uint64_t most = batch->slot->device_bytes / 8;
    uint64_t bytes = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const uint64_t own = estimate(&batch->pictures[i]);
        Group *last = &queue->groups[queue->group_count == 0 ? 0 : queue->group_count - 1];
        if (queue->group_count == 0 || bytes + own > most || i - last->first >= GROUP_MOST) {
            last = &queue->groups[queue->group_count++];
            last->first = i;
            bytes = 0;
        }
        last->end = i + 1;
        bytes += own;
    }
}

/* --- The lists of IDAT parts ------------------------------------------------------------------ */

/* Sets the offsets of all lists: the parts of all pictures, the sources of the tensor, and the
 * status words. */
static void place_lists(Queue *queue)
{
    ImgDeviceBatch *batch = queue->batch;
    size_t end = 0;
    for (size_t i = 0; i < batch->count; i++) {
        batch->pictures[i].parts_at = end;
        if (!batch->pictures[i].on_cpu)
            end += img_device_aligned(batch->pictures[i].idat.count * sizeof(ImgPngCudaPart));
    }
    batch->sources_at = end;
    end += img_device_aligned(batch->count * sizeof(ImgTensorSource));
    batch->statuses_at = end;
    queue->lists_end = queue->host_end = end + img_device_aligned(batch->count * sizeof(uint32_t));
}

/* Writes the lists of parts to the host's memory. */
static void list_parts(const ImgDeviceBatch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        ImgDevicePicture *picture = &batch->pictures[i];
        if (picture->on_cpu)
            continue;
        img_png_cuda_list_parts(
            &picture->idat, batch->slot->host_files.memory + picture->at,
            (ImgPngCudaPart *)(void *)(batch->slot->host_lists.memory + picture->parts_at),
            &picture->file);
        picture->file.bytes = batch->slot->files.memory + picture->at;
        picture->file.parts =
            (const ImgPngCudaPart *)(const void *)(batch->slot->lists.memory + picture->parts_at);
    }
}

/* --- Plans of groups -------------------------------------------------------------------------- */

/* Decides which pictures are decoded alone, and numbers the status words: first those of the
 * pictures that are decoded as a batch. */
static void number_words(const ImgDeviceBatch *batch, Group *group, size_t *next)
{
    ImgDevicePicture *pictures = batch->pictures;
    size_t together = 0;
    for (size_t i = group->first; i < group->end; i++)
        together += !pictures[i].on_cpu && !pictures[i].alone;
    for (size_t i = group->first; i < group->end; i++)
        pictures[i].alone = pictures[i].alone || together <= IMG_PNG_CUDA_BATCH_FEW;
    group->words_at = *next;
    for (int alone = 0; alone < 2; alone++)
        for (size_t i = group->first; i < group->end; i++)
            if (!pictures[i].on_cpu && pictures[i].alone == (alone != 0))
                pictures[i].word = (*next)++;
}

/* Sets the views of the pictures of a group, from `memory` on. Returns their bytes. */
static size_t place_pixels(const ImgDeviceBatch *batch, const Group *group, uint8_t *memory)
{
    const bool has_tensor = batch->has_tensor;
    size_t used = 0;
    for (size_t i = group->first; i < group->end; i++) {
        ImgDevicePicture *picture = &batch->pictures[i];
        const ImgShape before = picture->plan.before, after = picture->plan.after;
        const bool has_steps = picture->plan.count > 0;
        if (picture->on_cpu)
            continue;
        if (!has_tensor && !has_steps) {
            picture->decoded = picture->result;
            continue;
        }
        picture->decoded = img_view_make(memory + used, img_device_pitch(before), before);
        used += picture_bytes(before);
        if (!has_tensor)
            continue;
        picture->result = picture->decoded;
        if (has_steps) {
            picture->result = img_view_make(memory + used, img_device_pitch(after), after);
            used += picture_bytes(after);
        }
    }
    return used;
}

static size_t alone_bytes(const ImgDevicePicture *picture)
{
    ImgPngCudaPlan plan;
    return img_png_cuda_plan(picture->plan.before, picture->file.stream_bytes,
                             picture->file.part_count, &plan)
               ? plan.workspace_bytes
               : 0;
}

static void list_group(const ImgDeviceBatch *batch, Group *group)
{
    group->item_count = group->step_count = 0;
    for (size_t i = group->first; i < group->end; i++) {
        const ImgDevicePicture *picture = &batch->pictures[i];
        if (picture->on_cpu)
            continue;
        if (!picture->alone)
            group->items[group->item_count++] = item_of(picture);
        if (picture->plan.count > 0)
            group->steps[group->step_count++] = (ImgManyPicture){
                picture->plan.steps, picture->plan.count, picture->decoded, picture->result};
    }
}

/* Computes the memory of a group. */
static ImgStatus plan_group(const Queue *queue, Group *group, ImgError *err)
{
    const ImgDeviceBatch *batch = queue->batch;
    const size_t most = group->end - group->first;
    ImgStatus status = IMG_OK;
    group->items = malloc(most * sizeof *group->items);
    group->steps = malloc(most * sizeof *group->steps);
    if (group->items == NULL || group->steps == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", most);
    group->pixels = place_pixels(batch, group, NULL);
    list_group(batch, group);
    if (group->step_count > 0)
        status =
            img_many_plan(batch->slot->kinds, group->steps, group->step_count, batch->context->team,
                          batch->context->config.threads, &group->many, err);
    if (status != IMG_OK)
        return status;
    const ImgPngCudaBatchBytes decode = img_png_cuda_batch_bytes(group->items, group->item_count);
    const ImgManyBytes steps =
        group->many != NULL ? img_many_bytes(group->many) : (ImgManyBytes){0, 0};
    group->jobs = img_device_aligned(decode.host);
    group->room = img_device_aligned(steps.host);
    group->work = decode.device > steps.device ? decode.device : steps.device;
    for (size_t i = group->first; i < group->end; i++) {
        const ImgDevicePicture *picture = &batch->pictures[i];
        const size_t own = picture->on_cpu || !picture->alone ? 0 : alone_bytes(picture);
        group->work = own > group->work ? own : group->work;
    }
    return IMG_OK;
}

static ImgStatus plan_groups(Queue *queue, ImgError *err)
{
    ImgStatus status = IMG_OK;
    size_t word = 0;
    make_groups(queue);
    for (size_t g = 0; status == IMG_OK && g < queue->group_count; g++) {
        Group *group = &queue->groups[g];
        number_words(queue->batch, group, &word);
        status = plan_group(queue, group, err);
        group->jobs_at = queue->host_end;
        group->room_at = group->jobs_at + group->jobs;
        queue->host_end = group->room_at + group->room;
        if (group->pixels + group->work > queue->work)
            queue->work = group->pixels + group->work;
    }
    return status;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static void list_sources(const Queue *queue)
{
    const ImgDeviceBatch *batch = queue->batch;
    ImgTensorSource *sources =
        (ImgTensorSource *)(void *)(batch->slot->host_lists.memory + batch->sources_at);
    const uint32_t *words =
        (const uint32_t *)(const void *)(batch->slot->lists.memory + batch->statuses_at);
    for (size_t i = 0; i < batch->count; i++) {
        const ImgDevicePicture *picture = &batch->pictures[i];
        /* The CPU's pictures are zeros until they are copied to the device. No word is ever
         * 0xffffffff. */
        sources[i] =
            (ImgTensorSource){.format = {IMG_COLOR_GRAY, 8}, .status = words, .good = UINT32_MAX};
        if (!picture->on_cpu)
            sources[i] = (ImgTensorSource){picture->result.data, picture->result.stride,
                                           picture->result.format, words + picture->word,
                                           IMG_PNG_CUDA_VERIFIED};
    }
}

static ImgStatus copy_files(const Queue *queue, ImgError *err)
{
    const ImgDeviceBatch *batch = queue->batch;
    const ImgDeviceSlot *slot = batch->slot;
    const ImgDevicePicture *last = &batch->pictures[batch->count - 1];
    const size_t files = last->at + (last->on_cpu ? 0 : last->bytes);
    if (files > 0)
        CUDA_TRY(cudaMemcpyAsync(slot->files.memory, slot->host_files.memory, files,
                                 cudaMemcpyHostToDevice, slot->copies),
                 err);
    CUDA_TRY(cudaMemcpyAsync(slot->lists.memory, slot->host_lists.memory, batch->statuses_at,
                             cudaMemcpyHostToDevice, slot->copies),
             err);
    CUDA_TRY(cudaEventRecord(slot->copied, slot->copies), err);
    CUDA_TRY(cudaStreamWaitEvent(batch->stream, slot->copied, 0), err);
    CUDA_TRY(cudaMemsetAsync(slot->lists.memory + batch->statuses_at, 0,
                             batch->count * sizeof(uint32_t), batch->stream),
             err);
    return IMG_OK;
}

/* --- Work ------------------------------------------------------------------------------------- */

static ImgStatus decode_alone(const ImgDeviceBatch *batch, const ImgDevicePicture *picture,
                              void *workspace, uint32_t *word, ImgError *err)
{
    ImgPngCudaPlan plan;
    const ImgPngCudaPixels pixels = {picture->decoded.data, picture->decoded.stride};
    if (!img_png_cuda_plan(picture->plan.before, picture->file.stream_bytes,
                           picture->file.part_count, &plan))
        return IMG_OK; /* the word stays 0, so that the CPU decodes it */
    return img_png_cuda_decode(&plan, &picture->file, workspace, &pixels, word, batch->stream, NULL,
                               err);
}

static ImgStatus decode(const Queue *queue, const Group *group, uint8_t *workspace, ImgError *err)
{
    const ImgDeviceBatch *batch = queue->batch;
    const ImgDeviceSlot *slot = batch->slot;
    uint32_t *words = (uint32_t *)(void *)(slot->lists.memory + batch->statuses_at);
    ImgStatus status = img_png_cuda_decode_batch(group->items, group->item_count, workspace,
                                                 slot->host_lists.memory + group->jobs_at,
                                                 words + group->words_at, batch->stream, NULL, err);
    for (size_t i = group->first; status == IMG_OK && i < group->end; i++)
        if (!batch->pictures[i].on_cpu && batch->pictures[i].alone)
            status = decode_alone(batch, &batch->pictures[i], workspace,
                                  words + batch->pictures[i].word, err);
    return status;
}

/* Converts the pictures of a group to their places in the tensor. */
static ImgStatus convert(const ImgDeviceBatch *batch, const Group *group, ImgError *err)
{
    ImgTensor part = batch->tensor;
    const ImgTensorSource *sources =
        (const ImgTensorSource *)(const void *)(batch->slot->lists.memory + batch->sources_at);
    part.count = 1;
    part.data = (uint8_t *)batch->tensor.data + group->first * img_tensor_bytes(&part);
    part.count = (int32_t)(group->end - group->first);
    return img_tensor_queue(&part, sources + group->first, part.count, batch->stream, err);
}

static ImgStatus queue_group(const Queue *queue, Group *group, ImgError *err)
{
    const ImgDeviceBatch *batch = queue->batch;
    uint8_t *workspace = batch->slot->work.memory + group->pixels;
    (void)place_pixels(batch, group, batch->slot->work.memory);
    list_group(batch, group);
    ImgStatus status = decode(queue, group, workspace, err);
    if (status == IMG_OK && group->many != NULL)
        status =
            img_many_queue(group->many, workspace, batch->slot->host_lists.memory + group->room_at,
                           batch->stream, err);
    if (status == IMG_OK && batch->has_tensor)
        status = convert(batch, group, err);
    return status;
}

static ImgStatus reserve(const Queue *queue, ImgError *err)
{
    ImgDeviceSlot *slot = queue->batch->slot;
    ImgStatus status = img_device_block_reserve(&slot->files, slot->host_files.bytes, err);
    if (status == IMG_OK)
        status = img_device_block_reserve(&slot->lists, queue->lists_end, err);
    if (status == IMG_OK)
        status = img_device_block_reserve(&slot->host_lists, queue->host_end, err);
    if (status == IMG_OK)
        status = img_device_block_reserve(&slot->work, queue->work, err);
    return status;
}

static ImgStatus queue_all(Queue *queue, ImgError *err)
{
    ImgDeviceBatch *batch = queue->batch;
    ImgDeviceSlot *slot = batch->slot;
    place_lists(queue);
    ImgStatus status = plan_groups(queue, err);
    if (status == IMG_OK)
        status = reserve(queue, err);
    if (status != IMG_OK)
        return status;
    list_parts(batch);
    for (size_t g = 0; g < queue->group_count; g++)
        (void)place_pixels(batch, &queue->groups[g], slot->work.memory);
    list_sources(queue);
    status = copy_files(queue, err);
    for (size_t g = 0; status == IMG_OK && g < queue->group_count; g++)
        status = queue_group(queue, &queue->groups[g], err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaMemcpyAsync(slot->host_lists.memory + batch->statuses_at,
                             slot->lists.memory + batch->statuses_at,
                             batch->count * sizeof(uint32_t), cudaMemcpyDeviceToHost,
                             batch->stream),
             err);
    CUDA_TRY(cudaEventRecord(slot->done, batch->stream), err);
    return IMG_OK;
}

ImgStatus img_device_batch_queue(ImgDeviceBatch *batch, ImgError *err)
{
    Queue queue = {.batch = batch, .groups = calloc(batch->count, sizeof *queue.groups)};
    const ImgStatus status =
        queue.groups == NULL
            ? img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", batch->count)
            : queue_all(&queue, err);
    for (size_t g = 0; g < queue.group_count; g++) {
        free(queue.groups[g].items);
        free(queue.groups[g].steps);
        img_many_free(queue.groups[g].many);
    }
    free(queue.groups);
    return status;
}

ImgStatus img_device_batch_wait(ImgDeviceBatch *batch, ImgError *err)
{
    const uint32_t *words =
        (const uint32_t *)(const void *)(batch->slot->host_lists.memory + batch->statuses_at);
    CUDA_TRY(cudaEventSynchronize(batch->slot->done), err);
    for (size_t i = 0; i < batch->count; i++) {
        ImgDevicePicture *picture = &batch->pictures[i];
        picture->on_cpu = picture->on_cpu || words[picture->word] != IMG_PNG_CUDA_VERIFIED;
    }
    return IMG_OK;
}

void img_device_batch_free(ImgDeviceBatch *batch)
{
    for (size_t i = 0; batch->pictures != NULL && i < batch->count; i++) {
        img_idat_free(&batch->pictures[i].idat);
        img_lib_plan_free(&batch->pictures[i].plan);
    }
    free(batch->pictures);
    if (batch->slot != NULL)
        img_device_slot_give(batch->slot);
    *batch = (ImgDeviceBatch){.context = NULL};
}
