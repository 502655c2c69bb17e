/* Shuffles without memory: computes single positions of a permutation that a seed and an epoch
 * select. All machines compute the same order, for any batch size and number of shards.
 *
 * The permutation is a Feistel network over pairs of numbers (l, r) with l < a and r < b, where a
 * and b are about the square root of the count: the even rounds add a hash of r to l modulo a, and
 * the odd rounds a hash of l to r modulo b. A result that is not below the count is permuted again
 * (cycle walking), as in format-preserving encryption. The hash is the finaliser of SplitMix64
 * (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
#include <math.h>

#include "app/python/module/tensors/tensor.h"

enum { ROUNDS = 8 };

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

typedef struct Permutation {
    uint64_t count, a, b, key;
} Permutation;

static Permutation make_permutation(uint64_t seed, uint64_t epoch, uint64_t count)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    Permutation made = {.count = count, .key = mix(mix(seed + golden) + epoch + golden)};
    made.a = (uint64_t)sqrt((double)count);
    while (made.a * made.a < count)
        made.a++;
    made.b = (count + made.a - 1) / made.a;
    return made;
}

static uint64_t hash(const Permutation *permutation, uint64_t round, uint64_t value)
{
    return mix(permutation->key + mix(round << 32 ^ value));
}

static uint64_t permute(const Permutation *permutation, uint64_t position)
{
    const uint64_t a = permutation->a, b = permutation->b;
    do {
        uint64_t left = position / b, right = position % b;
        for (uint64_t round = 0; round < ROUNDS; round += 2) {
            left = (left + hash(permutation, round, right) % a) % a;
            right = (right + hash(permutation, round + 1, left) % b) % b;
        }
        position = left * b + right;
    } while (position >= permutation->count);
    return position;
}

PyObject *img_py_order(PyObject *module, PyObject *args)
{
    const State *state = PyModule_GetState(module);
    unsigned long long seed, epoch, count, first, step, most;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&:_order", img_py_read_limit, &seed, img_py_read_limit,
                          &epoch, img_py_read_limit, &count, img_py_read_limit, &first,
                          img_py_read_limit, &step, img_py_read_limit, &most))
        return NULL;
    if (count >= (1ULL << 62) || step == 0)
        return img_py_raise(state, IMGTOOL_E_USAGE, "order: %llu numbers in steps of %llu", count,
                            step);
    const Permutation permutation = make_permutation(seed, epoch, count);
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; list != NULL && i < most && first < count; i++, first += step) {
        PyObject *item = PyLong_FromUnsignedLongLong(permute(&permutation, first));
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}
