/* Tables of 256 bytes, for processors that cannot look up a vector of bytes in them. The comments
 * specify them for all processors. */
#ifndef IMGTOOL_KERNELS_SIMD_PLAIN_TABLE_H
#define IMGTOOL_KERNELS_SIMD_PLAIN_TABLE_H

typedef struct VTable {
    uint8_t entries[256];
} VTable;

static inline VTable load_table(const uint8_t *entries)
{
    VTable table;
    memcpy(table.entries, entries, sizeof table.entries);
    return table;
}

/* Returns the table's entry for each byte. */
static inline vu8 look_up_u8(const VTable *table, vu8 bytes)
{
    uint8_t found[V_BYTES];
    store_u8(found, bytes);
    for (int i = 0; i < V_BYTES; i++)
        found[i] = table->entries[found[i]];
    return load_u8(found);
}

#endif
