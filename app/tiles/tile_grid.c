#include "app/tiles/tile_grid.h"

#include "app/text/amounts.h"
#include "kernels/core/minmax.h"

ImgStatus tile_grid_parse(const char *size, int32_t overlap, TileGrid *grid, ImgError *err)
{
    *grid = (TileGrid){.overlap = overlap};
    if (!amount_parse_pixels(size, &grid->width, &grid->height))
        return img_fail(err, IMG_E_USAGE,
                        "invalid --size '%s'; use WxH or W, in pixels, such as 256x256", size);
    if (overlap >= grid->width || overlap >= grid->height)
        return img_fail(err, IMG_E_USAGE,
                        "an --overlap of %d leaves nothing of tiles of %d x %d; use a smaller one",
                        overlap, grid->width, grid->height);
    return IMG_OK;
}

static int64_t count_along(int64_t size, int64_t tile, int64_t overlap)
{
    const int64_t step = tile - overlap;
    return size <= tile ? 1 : (size - overlap + step - 1) / step;
}

void tile_grid_fit(TileGrid *grid, ImgShape picture)
{
    grid->columns = count_along(picture.width, grid->width, grid->overlap);
    grid->rows = count_along(picture.height, grid->height, grid->overlap);
}

TilePlace tile_grid_place(const TileGrid *grid, ImgShape picture, int64_t number)
{
    const int64_t x = number % grid->columns * (grid->width - grid->overlap);
    const int64_t y = number / grid->columns * (grid->height - grid->overlap);
    return (TilePlace){.x = (int32_t)x,
                       .y = (int32_t)y,
                       .width = img_min32(grid->width, picture.width - (int32_t)x),
                       .height = img_min32(grid->height, picture.height - (int32_t)y)};
}
