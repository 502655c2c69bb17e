/* Finds the transfer function that a file states. The PNG specification, third edition, describes
 * the chunks. ITU-T H.273 defines the transfer functions of cICP. */
#include "io/bytes.h"
#include "io/metadata/metadata.h"
#include "kernels/core/op.h"

enum { GAMMA_OF_SRGB = 45455, GAMMA_LEAST = 100, GAMMA_MOST = 100000000 };

/* Reads the transfer function of cICP. Returns false if the chunk has a wrong size or states no
 * function. */
static bool light_of_cicp(const ImgChunk *chunk, int32_t *light)
{
    enum { TRANSFER = 1, MATRIX = 2, FULL_RANGE = 3, SIZE = 4 };
    if (chunk == NULL || chunk->size != SIZE)
        return false;
    switch (chunk->data[TRANSFER]) {
    case 0: /* Transfer functions 0 and 3 are reserved; 2 means unspecified. */
    case 2:
    case 3:
        return false;
    case 1:
    case 6:
    case 14:
    case 15:
        *light = IMG_LIGHT_BT709;
        break;
    case 4:
        *light = 45455; /* gamma 2.2: 100,000 / 2.2 */
        break;
    case 5:
        *light = 35714; /* gamma 2.8: 100,000 / 2.8 */
        break;
    case 8:
        *light = IMG_LIGHT_LINEAR;
        break;
    case 13:
        *light = IMG_LIGHT_SRGB;
        break;
    case 16:
        *light = IMG_LIGHT_PQ;
        break;
    case 18:
        *light = IMG_LIGHT_HLG;
        break;
    default:
        *light = IMG_LIGHT_UNKNOWN;
        break;
    }
    if (chunk->data[MATRIX] != 0)
        *light = IMG_LIGHT_UNKNOWN; /* the samples are not RGB */
    else if (chunk->data[FULL_RANGE] == 0)
        *light = IMG_LIGHT_NARROW_RANGE;
    return true;
}

static int32_t light_of_gamma(const ImgChunk *chunk)
{
    if (chunk->size != 4)
        return IMG_LIGHT_SRGB;
    const uint32_t gamma = img_get_be32(chunk->data);
    const bool is_power = gamma >= GAMMA_LEAST && gamma <= GAMMA_MOST && gamma != GAMMA_OF_SRGB;
    return is_power ? (int32_t)gamma : IMG_LIGHT_SRGB;
}

int32_t img_metadata_light(const ImgMetadata *metadata)
{
    const ImgChunk *gamma = img_metadata_find(metadata, "gAMA");
    int32_t light;
    if (light_of_cicp(img_metadata_find(metadata, "cICP"), &light))
        return light;
    if (img_metadata_find(metadata, "iCCP") != NULL || img_metadata_find(metadata, "sRGB") != NULL)
        return IMG_LIGHT_SRGB;
    return gamma != NULL ? light_of_gamma(gamma) : IMG_LIGHT_SRGB;
}
