/* Arrays that grow by one item at a time. */
#ifndef IMGTOOL_APP_TEXT_LIST_H
#define IMGTOOL_APP_TEXT_LIST_H

#include <stdbool.h>
#include <stdlib.h>

/* Returns the array `list` of `count` items of `size` bytes with room for one more item, perhaps at
 * another address. If memory is short, returns NULL, and the array stays as it is. The room doubles
 * whenever `count` reaches a power of two, so it must grow only through this function. */
static inline void *list_grow(void *list, size_t count, size_t size)
{
    enum { FIRST = 8 };
    const size_t room = count < FIRST ? FIRST : 2 * count;
    const bool has_room = list != NULL && (count < FIRST || (count & (count - 1)) != 0);
    return has_room ? list : realloc(list, room * size);
}

#endif
