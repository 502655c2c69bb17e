/* Moves of bytes and of lanes, for vectors of one lane. The comments specify them for all vectors.
 */
#ifndef IMGTOOL_KERNELS_SIMD_ONE_LANE_H
#define IMGTOOL_KERNELS_SIMD_ONE_LANE_H

/* simd.h defines functions on pairs for vectors of one lane. */
#define V_ONE_LANE

/* --- Moves of bytes ------------------------------------------------------------------------------
 *
 * `size` is the number of bytes of an element: 1, 2, 4 or 8. It must be a constant. */

/* Interleaves the elements of the low halves of the lanes. With size 16 it interleaves the lanes of
 * the low halves of the vectors. */
static inline vu8 zip_low(vu8 a, vu8 b, int size)
{
    switch (size) {
    case 1:
        return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7,
                                       23);
    case 2:
        return (vu8)__builtin_shufflevector((vu16)a, (vu16)b, 0, 8, 1, 9, 2, 10, 3, 11);
    case 4:
        return (vu8)__builtin_shufflevector((vu32)a, (vu32)b, 0, 4, 1, 5);
    case 8:
        return (vu8)__builtin_shufflevector((vu64)a, (vu64)b, 0, 2);
    default:
        return a;
    }
}

static inline vu8 zip_high(vu8 a, vu8 b, int size)
{
    switch (size) {
    case 1:
        return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
                                       15, 31);
    case 2:
        return (vu8)__builtin_shufflevector((vu16)a, (vu16)b, 4, 12, 5, 13, 6, 14, 7, 15);
    case 4:
        return (vu8)__builtin_shufflevector((vu32)a, (vu32)b, 2, 6, 3, 7);
    case 8:
        return (vu8)__builtin_shufflevector((vu64)a, (vu64)b, 1, 3);
    default:
        return b;
    }
}

/* Reverses the order of the elements of each lane. */
static inline vu8 reverse(vu8 v, int size)
{
    switch (size) {
    case 1:
        return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    case 2:
        return (vu8)__builtin_shufflevector((vu16)v, (vu16)v, 7, 6, 5, 4, 3, 2, 1, 0);
    case 4:
        return (vu8)__builtin_shufflevector((vu32)v, (vu32)v, 3, 2, 1, 0);
    default:
        return (vu8)__builtin_shufflevector((vu64)v, (vu64)v, 1, 0);
    }
}

/* Copies the last four bytes of each group of `size` bytes (8 or 16) over the whole group. */
static inline vu8 repeat_last(vu8 v, int size)
{
    return size == 8 ? (vu8)__builtin_shufflevector((vu32)v, (vu32)v, 1, 1, 3, 3)
                     : (vu8)__builtin_shufflevector((vu32)v, (vu32)v, 3, 3, 3, 3);
}

/* Joins the first twelve bytes of the lanes of four vectors. */
static inline void join_twelves(const vu8 v[4], vu8 joined[3])
{
    const vu32 a = (vu32)v[0], b = (vu32)v[1], c = (vu32)v[2], d = (vu32)v[3];
    joined[0] = (vu8)__builtin_shufflevector(a, b, 0, 1, 2, 4);
    joined[1] = (vu8)__builtin_shufflevector(b, c, 1, 2, 4, 5);
    joined[2] = (vu8)__builtin_shufflevector(c, d, 2, 4, 5, 6);
}

/* --- Lanes ---------------------------------------------------------------------------------------
 */

/* Loads 16 bytes into every lane. */
static inline vu8 repeat_lane(const void *from)
{
    return load_u8(from);
}

/* Loads 16 bytes into the first lane. Others are undefined. */
static inline vu8 load_lane(const void *from)
{
    return load_u8(from);
}

/* Loads lanes that are `step` bytes apart. */
static inline vu8 load_lanes(const void *from, ptrdiff_t step)
{
    (void)step;
    return load_u8(from);
}

/* Loads each lane from its own address. */
static inline vu8 load_lanes_at(const uint8_t *const from[V_LANES])
{
    return load_u8(from[0]);
}

static inline void store_lane(void *to, vu8 v, int lane)
{
    (void)lane;
    store_u8(to, v);
}

/* Returns the first lane of `first`, and then all lanes of `v` but the last. */
static inline vu8 enter_lane(vu8 first, vu8 v)
{
    (void)v;
    return first;
}

/* Stores the first eight bytes of a lane. */
static inline void store_eight(void *to, vu8 v, int lane)
{
    (void)lane;
    memcpy(to, &v, 8);
}

/* Stores the first half of a vector. */
static inline void store_half(void *to, vu8 v)
{
    memcpy(to, &v, V_BYTES / 2);
}

/* Loads each half of a vector from its own address. */
static inline vu8 load_halves(const void *low, const void *high)
{
    vu64 v = {0};
    memcpy(&v, low, V_BYTES / 2);
    memcpy((uint8_t *)&v + V_BYTES / 2, high, V_BYTES / 2);
    return (vu8)v;
}

/* Exchanges lanes 0 and 1, lanes 2 and 3. A single lane stays as it is. */
static inline vu8 swap_lanes(vu8 v)
{
    return v;
}

#endif
