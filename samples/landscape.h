/* The large sample: a lake below mountains at sunset, 8-bit RGB. */
#ifndef IMGTOOL_SAMPLES_LANDSCAPE_H
#define IMGTOOL_SAMPLES_LANDSCAPE_H

#include "samples/png_file.h"

Picture landscape(uint32_t width, uint32_t height);

#endif
