/* Implements the pool of a Loader, which keeps the memory of its tensors for later tensors. */
#include <stdlib.h>
#include <string.h>

#include "app/python/module/tensors/tensor.h"

enum { BLOCKS_MOST = 8 };

typedef struct Pool {
    PyObject_HEAD Block blocks[BLOCKS_MOST];
    int count;
    PyObject *module;
} Pool;

void img_py_free_block(const Block *block)
{
    if (block->device == ON_HOST)
        free(block->memory);
    else
        imgtool_device_free(block->device, block->memory);
    imgtool_stream_destroy(block->device, block->stream);
}

static void deallocate_pool(PyObject *self)
{
    Pool *pool = (Pool *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; i < pool->count; i++)
        img_py_free_block(&pool->blocks[i]);
    Py_XDECREF(pool->module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

bool img_py_pool_take(PyObject *object, size_t bytes, int device, Block *block)
{
    Pool *pool = (Pool *)object;
    for (int i = pool->count - 1; i >= 0; i--) {
        *block = pool->blocks[i];
        if (block->bytes != bytes || block->device != device)
            continue;
        memmove(&pool->blocks[i], &pool->blocks[i + 1],
                (size_t)(--pool->count - i) * sizeof *pool->blocks);
        return true;
    }
    return false;
}

/* Keeps the block, and frees the oldest one if there are too many. */
void img_py_pool_put(PyObject *object, Block block)
{
    Pool *pool = (Pool *)object;
    if (pool->count == BLOCKS_MOST) {
        img_py_free_block(&pool->blocks[0]);
        memmove(&pool->blocks[0], &pool->blocks[1], (BLOCKS_MOST - 1) * sizeof *pool->blocks);
        pool->count--;
    }
    pool->blocks[pool->count++] = block;
}

PyObject *img_py_make_pool(PyObject *module, PyObject *unused)
{
    const State *state = PyModule_GetState(module);
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->pool_type, Py_tp_alloc);
    Pool *pool = (Pool *)allocate(state->pool_type, 0);
    (void)unused;
    if (pool == NULL)
        return NULL;
    Py_INCREF(module);
    pool->module = module;
    return (PyObject *)pool;
}

static PyType_Slot pool_slots[] = {
    {Py_tp_doc, "Memory that tensors return, for later tensors."},
    {Py_tp_dealloc, (void *)deallocate_pool},
    {0, NULL},
};
static PyType_Spec pool_spec = {"imgtool._imgtool.Pool", sizeof(Pool), 0, Py_TPFLAGS_DEFAULT,
                                pool_slots};

bool img_py_make_pool_type(State *state)
{
    state->pool_type = (PyTypeObject *)PyType_FromSpec(&pool_spec);
    return state->pool_type != NULL;
}
