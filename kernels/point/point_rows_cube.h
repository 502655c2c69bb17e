/* Private to point_loops.c, which includes it after the definition of Planes: looks up
 * colours in a lattice. */

/* Vectors with the three colours of a node or of a pixel in adjacent lanes. */
typedef uint16_t Node __attribute__((vector_size(8)));
typedef uint32_t Colors __attribute__((vector_size(16)));

static inline Colors load_node(const uint16_t *nodes, uint32_t node)
{
    Node colors;
    memcpy(&colors, nodes + (size_t)node * IMG_POINT_NODE, sizeof colors);
    return __builtin_convertvector(colors, Colors);
}

/* Divides sums below 65535 * 65536 by 65535, rounded to nearest: half of 65535 is added first. A
 * value is q * 65535 + r = q * 65536 + (r - q) with quotient q. So its upper 16 bits are q, or q -
 * 1 if r < q. Adding these bits and 1 to the value makes its upper 16 bits q in both cases. */
static inline Colors cube_rounded(Colors sum)
{
    const Colors halved = sum + IMG_POINT_NODE_ONE / 2;
    return (halved + 1 + (halved >> 16)) >> 16;
}

/* Number of pixels for which the surrounding nodes are computed before the nodes are read. */
enum { CELLS = 64 };
typedef struct Cells {
    uint32_t node[4][CELLS], weight[4][CELLS];
} Cells;

static inline void find_cells(const uint16_t *a, const uint16_t *b, const uint16_t *c,
                              int32_t count, uint32_t size, uint32_t maximum, Cells *cells)
{
    for (int32_t i = 0; i < count; i++) {
        const ImgPointCell cell = img_point_cell(a[i], b[i], c[i], size, maximum);
        for (int k = 0; k < 4; k++) {
            cells->node[k][i] = cell.node[k];
            cells->weight[k][i] = cell.weight[k];
        }
    }
}

static inline Colors color_of(const uint16_t *nodes, const Cells *cells, int32_t i)
{
    Colors sum = cells->weight[0][i] * load_node(nodes, cells->node[0][i]);
    for (int k = 1; k < 4; k++)
        sum += cells->weight[k][i] * load_node(nodes, cells->node[k][i]);
    return cube_rounded(sum);
}

static inline void change_in_cube(const uint16_t *nodes, uint32_t size, uint32_t maximum,
                                  Planes *planes, int32_t width)
{
    Cells cells;
    for (int32_t x = 0; x < width; x += CELLS) {
        uint16_t *a = planes->at[0] + x, *b = planes->at[1] + x, *c = planes->at[2] + x;
        const int32_t count = width - x < CELLS ? width - x : CELLS;
        find_cells(a, b, c, count, size, maximum, &cells);
        for (int32_t i = 0; i < count; i++) {
            const Colors color = color_of(nodes, &cells, i);
            a[i] = (uint16_t)color[0];
            b[i] = (uint16_t)color[1];
            c[i] = (uint16_t)color[2];
        }
    }
}

/* Applies a lattice. Passes constant maxima to the loop, so that the compiler can divide faster. */
static void change_by_cube(const ImgPointStage *stage, const uint16_t *tables, Planes *planes,
                           int32_t width)
{
    const uint16_t *nodes = tables + stage->table[0];
    if (stage->from_bits == 8)
        change_in_cube(nodes, (uint32_t)stage->size, 255, planes, width);
    else
        change_in_cube(nodes, (uint32_t)stage->size, 65535, planes, width);
}
