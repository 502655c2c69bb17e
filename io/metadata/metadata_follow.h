/* What operations ask of the metadata, and how metadata follows what they do. */
#ifndef IMGTOOL_IO_METADATA_METADATA_FOLLOW_H
#define IMGTOOL_IO_METADATA_METADATA_FOLLOW_H

#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "kernels/core/op.h"

/* Facts that operations may ask for. The orientation comes from the first of these that states it:
 * eXIf; the old form of EXIF, a text chunk "Raw profile type exif" or "... APP1"; XMP
 * (tiff:Orientation), also as "Raw profile type xmp"; a text "exif:Orientation" or
 * "tiff:Orientation". What is damaged gives no orientation and is not an error. Only texts with
 * such keywords are inflated, and only until the orientation is known; IMG_E_LIMIT if all of them
 * together inflate beyond limits->max_text. */
ImgStatus img_metadata_facts(const ImgMetadata *metadata, const ImgLimits *limits, ImgFacts *facts,
                             ImgError *err);

/* Makes the metadata true of the picture after `effect`: pHYs, EXIF's resolution and sCAL swapped
 * where the axes are; a ratio in pHYs and sCAL scaled where the picture was, so that a pixel has
 * the shape and shows the size that it should (sCAL dropped where it has no sizes). A resolution
 * stays what it is, however the picture was scaled; oFFs, sTER, and ImageMagick's caNv and vpAg
 * dropped where it was turned, cropped or resized; hIST where it was cropped; hIST, sBIT, sPLT,
 * pCAL, cLLI and a suggested PLTE where samples have other values now; bKGD and iCCP where colour
 * became gray or gray got colour, for which their form is wrong; the thumbnail of EXIF where the
 * picture was cropped, resized or turned or looks different now, as it shows what was there before;
 * the sizes that EXIF tells stay as they were; the orientation set to 1, wherever
 * img_metadata_facts looks for it, where the picture is upright now (IMG_E_LIMIT as there). Chunks
 * that are neither known nor safe to copy are dropped, and so is dSIG. Nothing is added. */
ImgStatus img_metadata_follow(ImgMetadata *metadata, const ImgEffect *effect,
                              const ImgLimits *limits, ImgError *err);

/* Drops sBIT unless it has an entry for each channel of the result: margins may have added alpha or
 * colours to samples that have not changed. */
void img_metadata_fit_channels(ImgMetadata *metadata, ImgFormat result);

#endif
