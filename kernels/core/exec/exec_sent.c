/* Decides whether constants must be sent to a device, so that a batch sends them only once. The
 * constants that were sent last are compared byte by byte with the constants of the new plan,
 * because executors that share a device may have different plans. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

size_t img_sent_room(const ImgConstants *constants)
{
    enum { ALIGNMENT = 256 };
    return (constants->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t img_sent_bytes(const ImgPlan *plan, size_t first)
{
    size_t bytes = 0;
    for (size_t i = first; i < plan->count; i++)
        bytes += img_sent_room(&plan->passes[i].constants);
    return bytes;
}

bool img_sent_holds(const ImgSent *sent, const ImgPlan *plan, size_t first)
{
    if (sent->bytes == 0 || sent->bytes != img_sent_bytes(plan, first))
        return false;
    const uint8_t *at = sent->memory;
    for (size_t i = first; i < plan->count; i++) {
        const ImgConstants *constants = &plan->passes[i].constants;
        if (constants->size > 0 && memcmp(at, constants->bytes, constants->size) != 0)
            return false;
        at += img_sent_room(constants);
    }
    return true;
}

/* If memory for the copy is short, records nothing. The constants of the next plan are then sent
 * even if they are equal. */
void img_sent_note(ImgSent *sent, const ImgPlan *plan, size_t first)
{
    const size_t bytes = img_sent_bytes(plan, first);
    sent->bytes = 0;
    if (bytes > sent->capacity) {
        free(sent->memory);
        sent->memory = malloc(bytes);
        sent->capacity = sent->memory != NULL ? bytes : 0;
    }
    if (bytes == 0 || sent->memory == NULL)
        return;
    uint8_t *at = sent->memory;
    for (size_t i = first; i < plan->count; i++) {
        const ImgConstants *constants = &plan->passes[i].constants;
        if (constants->size > 0)
            memcpy(at, constants->bytes, constants->size);
        at += img_sent_room(constants);
    }
    sent->bytes = bytes;
}

void img_sent_free(ImgSent *sent)
{
    free(sent->memory);
    *sent = (ImgSent){.memory = NULL};
}
