/* Extracts from the metadata the facts that operations need, and adapts the metadata to the changes
 * that operations made. */
#ifndef IMGTOOL_IO_METADATA_METADATA_FOLLOW_H
#define IMGTOOL_IO_METADATA_METADATA_FOLLOW_H

#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "kernels/core/op.h"

/* Extracts the facts that operations may need. The orientation comes from the first of these that
 * states it:
 *
 *     the chunk eXIf
 *     EXIF as text: "Raw profile type exif" or "Raw profile type APP1"
 *     XMP (tiff:Orientation), also as "Raw profile type xmp"
 *     a text "exif:Orientation" or "tiff:Orientation"
 *
 * Damaged data gives no orientation and is not an error. Only texts with these keywords are
 * inflated, and only until the orientation is known. Fails with IMG_E_LIMIT if these texts together
 * inflate to more than limits->max_text bytes. */
ImgStatus img_metadata_facts(const ImgMetadata *metadata, const ImgLimits *limits, ImgFacts *facts,
                             ImgError *err);

/* Adapts the metadata to the picture after `effect`:
 *
 *     axes swapped     pHYs, EXIF's resolution and sCAL are swapped
 *     scaled           sCAL, and a unitless ratio in pHYs, are scaled, so that a pixel keeps its
 *                      shape and size; an unreadable sCAL is dropped; a resolution stays
 *     turned, cropped  oFFs, sTER, and ImageMagick's caNv and vpAg are dropped;
 *     or resized       the thumbnail in EXIF is dropped
 *     cropped          hIST is dropped
 *     values changed   hIST, sBIT, sPLT, pCAL, cLLI and a suggested PLTE are dropped
 *     gray <-> colour  bKGD and iCCP are dropped, because their form is wrong
 *     depth changed    bKGD is dropped
 *     looks different  the thumbnail in EXIF is dropped
 *     upright now      the orientation becomes 1 wherever img_metadata_facts looks for it
 *
 * The picture sizes stored in EXIF stay as they are. Unknown chunks that are not marked safe to
 * copy are dropped, and so is dSIG. No chunk is added. May fail with IMG_E_LIMIT, as
 * img_metadata_facts, if the picture is upright now. */
ImgStatus img_metadata_follow(ImgMetadata *metadata, const ImgEffect *effect,
                              const ImgLimits *limits, ImgError *err);

/* Removes sBIT unless it has one entry for each channel of the result. img_metadata_follow keeps
 * sBIT if the samples did not change, but operations that add margins may add alpha or colour
 * channels. */
void img_metadata_fit_channels(ImgMetadata *metadata, ImgFormat result);

#endif
