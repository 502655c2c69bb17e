/* The picture on all small samples: a letter F on a slanting gradient. None of its turns or mirror
 * images looks like another, so a wrong turn shows at a glance. */
#ifndef IMGTOOL_SAMPLES_TEST_CARD_H
#define IMGTOOL_SAMPLES_TEST_CARD_H

#include "samples/png_file.h"

/* Draws the card in any colour type and depth. Palette pictures get their palette. */
Picture test_card(uint32_t width, uint32_t height, int color, int depth);

/* Adds the tRNS that suits the colour type: the colour of the letter, or decreasing alpha in a
 * palette. Gray, RGB and palette only. */
void test_card_add_trns(Picture *picture);

#endif
