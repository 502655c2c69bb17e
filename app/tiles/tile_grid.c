#include "app/tiles/tile_grid.h"

#include "app/text/amounts.h"

ImgStatus tile_grid_parse(const char *size, int32_t overlap, TileGrid *grid, ImgError *err)
{
    *grid = (TileGrid){.overlap = overlap};
    if (!img_amount_parse_pixels(size, &grid->width, &grid->height))
        return img_fail(err, IMG_E_USAGE,
                        "invalid --size '%s'; use WxH or W, in pixels, such as 256x256", size);
    if (overlap >= grid->width || overlap >= grid->height)
        return img_fail(err, IMG_E_USAGE,
                        "--overlap %d is too large for tiles of %d x %d; use a smaller one",
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

/* Sets *start and *length to the range of tile `number` along one side, including its margins. A
 * margin is smaller than a tile, so it ends within the neighbouring tile. */
static void place_along(int64_t number, int32_t tile, const TileGrid *grid, int32_t size,
                        int32_t *start, int32_t *length)
{
    const int64_t first = number * (tile - grid->overlap);
    const int64_t end = first + tile + grid->margin;
    *start = (int32_t)first - (number > 0 ? grid->margin : 0);
    *length = (int32_t)(end < size ? end : size) - *start;
}

TilePlace tile_grid_place(const TileGrid *grid, ImgShape picture, int64_t number)
{
    TilePlace place;
    place_along(number % grid->columns, grid->width, grid, picture.width, &place.x, &place.width);
    place_along(number / grid->columns, grid->height, grid, picture.height, &place.y,
                &place.height);
    return place;
}
