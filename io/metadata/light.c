/* What a file says of light. Chunks: PNG specification, third edition; transfer functions of cICP:
 * ITU-T H.273. */
#include "io/metadata/metadata.h"
#include "kernels/core/op.h"

enum { LINEAR_TRANSFER = 8, GAMMA_OF_SRGB = 45455, GAMMA_LEAST = 100, GAMMA_MOST = 100000000 };

static int32_t light_of_gamma(const ImgChunk *chunk)
{
    const uint8_t *data = chunk->data;
    if (chunk->size != 4)
        return IMG_LIGHT_SRGB;
    const uint32_t gamma =
        (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
    const bool is_power = gamma >= GAMMA_LEAST && gamma <= GAMMA_MOST && gamma != GAMMA_OF_SRGB;
    return is_power ? (int32_t)gamma : IMG_LIGHT_SRGB;
}

int32_t img_metadata_light(const ImgMetadata *metadata, int bits)
{
    const ImgChunk *cicp = img_metadata_find(metadata, "cICP");
    const ImgChunk *gamma = img_metadata_find(metadata, "gAMA");
    if (cicp != NULL)
        return cicp->size == 4 && cicp->data[1] == LINEAR_TRANSFER ? IMG_LIGHT_LINEAR
                                                                   : IMG_LIGHT_SRGB;
    if (img_metadata_find(metadata, "iCCP") != NULL || img_metadata_find(metadata, "sRGB") != NULL)
        return IMG_LIGHT_SRGB;
    if (gamma != NULL)
        return light_of_gamma(gamma);
    return bits == 16 ? IMG_LIGHT_LINEAR : IMG_LIGHT_SRGB;
}
