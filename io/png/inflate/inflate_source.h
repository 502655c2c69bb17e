/* The inner loop of inflate, for output of bytes or of 16-bit symbols; inflate_loops.c includes
 * this source once for each. SYMBOL is the output type. GET_EIGHT and PUT_EIGHT access eight bytes
 * of output as one number, with the first symbol in the lowest bits. ROOM is the type of the output
 * buffer. NAME(x) gives each function its own name. */

/* Writes the literals of an entry, and returns the new end of the output. Always writes three
 * symbols. Those beyond the entry's literals are overwritten later or lie in the slack. */
static inline SYMBOL *NAME(put_literals)(SYMBOL *at, uint64_t entry)
{
    uint64_t literals = entry >> 8 & 0xFFFFFF;
    if (sizeof(SYMBOL) == 1) {
        img_put_le32((uint8_t *)at, (uint32_t)(entry >> 8));
    } else {
        uint64_t spread =
            (literals & 0xFF) | (literals & 0xFF00) << 8 | (literals & 0xFF0000) << 16;
        PUT_EIGHT(at, spread);
    }
    return at + entry_literals(entry);
}

/* Copies a match whose distance is less than eight bytes. Repeats the symbols in an eight-byte
 * word, and stores this word again and again. Each store starts after a whole number of repeats. */
static inline void NAME(repeat_match)(SYMBOL *at, size_t distance, size_t length)
{
    const SYMBOL *end = at + length;
    unsigned width = (unsigned)(distance * sizeof(SYMBOL)) * 8;
    size_t whole = 64 / width * distance;
    uint64_t eight = LOW_BITS(GET_EIGHT(at - distance), width);
    for (unsigned shift = width; shift < 64; shift *= 2)
        eight |= eight << shift;
    do {
        PUT_EIGHT(at, eight);
        at += whole;
    } while (at < end);
}

/* Copies a match in steps of 16 or 8 bytes, so that a step never reads bytes that it writes itself.
 * The last step may write beyond the end of the match. */
static inline void NAME(copy_match)(SYMBOL *at, size_t distance, size_t length)
{
    const SYMBOL *from = at - distance, *end = at + length;
    size_t bytes = distance * sizeof(SYMBOL);
    if (bytes >= 16) {
        do {
            memcpy(at, from, 16);
            at += 16 / sizeof(SYMBOL);
            from += 16 / sizeof(SYMBOL);
        } while (at < end);
    } else if (bytes >= 8) {
        do {
            memcpy(at, from, 8);
            at += 8 / sizeof(SYMBOL);
            from += 8 / sizeof(SYMBOL);
        } while (at < end);
    } else {
        NAME(repeat_match)(at, distance, length);
    }
}

/* Copies the bytes of a stored block until it ends, the input is used up, or the output is full. */
static ImgInflateStop NAME(copy_stored)(ImgInflate *state, const ImgInflateData *data, ROOM *room)
{
    size_t from = (size_t)(state->position / 8 - data->start);
    size_t size = state->stored_left, have = data->size > from ? data->size - from : 0;
    size_t fits = room->at < room->limit ? (size_t)(room->limit - room->at) : 0;
    size = size < have ? size : have;
    size = size < fits ? size : fits;
    for (size_t i = 0; i < size; i++)
        room->at[i] = data->bytes[from + i];
    room->at += size;
    state->position += (uint64_t)size * 8;
    state->stored_left -= (uint32_t)size;
    if (state->stored_left == 0)
        return IMG_INFLATE_BLOCK;
    return size == fits ? IMG_INFLATE_OUTPUT_FULL : IMG_INFLATE_NEED_INPUT;
}

/* Decodes a block with Huffman codes until it ends, the input is used up, or the output is full. An
 * iteration handles up to three entries of literals and one match. The bit buffer is refilled
 * before the distance, because its 56 bits suffice only for the literals and the length. */
static ImgInflateStop NAME(inflate_codes)(ImgInflate *state, const ImgInflateData *data, ROOM *room)
{
    const uint64_t *literals = state->literals, *distances = state->distances;
    const uint8_t *in = data->bytes + (state->position / 8 - data->start);
    const uint8_t *in_stop = data->bytes + data->size - (data->last ? 0 : IMG_INFLATE_DATA_SLACK);
    SYMBOL *out = room->at, *const out_stop = room->limit;
    uint64_t bits = 0, count = 0, entry, before;
    ImgInflateStop stop = IMG_INFLATE_OUTPUT_FULL;
    FILL_BITS();
    USE_BITS(state->position % 8);
    entry = literals[LOW_BITS(bits, IMG_INFLATE_LITERAL_BITS)];

    while (out < out_stop) {
        if (in - LOW_SIX(count) / 8 > in_stop) {
            stop = IMG_INFLATE_NEED_INPUT;
            break;
        }
        FILL_BITS();
        TAKE_ENTRY();
        if (IS_LITERALS(entry)) {
            NEXT_ENTRY();
            TAKE_ENTRY();
            if (IS_LITERALS(entry)) {
                NEXT_ENTRY();
                TAKE_ENTRY();
                if (IS_LITERALS(entry)) {
                    NEXT_ENTRY();
                    continue;
                }
            }
        }
        if (!IS_VALUE(entry)) {
            if (IS_SUBTABLE(entry)) {
                entry = literals[subtable_index(entry, bits >> IMG_INFLATE_LITERAL_BITS)];
                TAKE_ENTRY();
            }
            if (IS_LITERALS(entry)) {
                NEXT_ENTRY();
                continue;
            }
            if (!IS_VALUE(entry)) {
                stop = IS_END(entry) ? IMG_INFLATE_BLOCK : IMG_INFLATE_DAMAGED;
                break;
            }
        }
        size_t length = value_of(entry, before);
        entry = distances[LOW_BITS(bits, IMG_INFLATE_DISTANCE_BITS)];
        FILL_BITS();
        if (IS_SUBTABLE(entry))
            entry = distances[subtable_index(entry, bits >> IMG_INFLATE_DISTANCE_BITS)];
        size_t distance = value_of(entry, bits);
        if (!IS_VALUE(entry) || distance > (size_t)(out - room->begin) + WINDOW) {
            stop = IMG_INFLATE_DAMAGED;
            break;
        }
        USE_BITS(entry);
        NEXT_ENTRY();
        NAME(copy_match)(out, distance, length);
        out += length;
    }
    room->at = out;
    state->position = (data->start + (uint64_t)(in - data->bytes)) * 8 - LOW_SIX(count);
    return stop;
}

/* Decodes blocks until there is a reason to stop, and returns this reason. */
static ImgInflateStop NAME(inflate)(ImgInflate *state, const ImgInflateData *data, ROOM *room,
                                    bool stop_at_blocks)
{
    for (;;) {
        ImgInflateStop stop = IMG_INFLATE_BLOCK;
        if (!state->in_block)
            stop = enter_block(state, data);
        if (stop == IMG_INFLATE_BLOCK)
            stop = state->stored ? NAME(copy_stored)(state, data, room)
                                 : NAME(inflate_codes)(state, data, room);
        if (data->last &&
            (stop == IMG_INFLATE_NEED_INPUT || state->position > (data->start + data->size) * 8))
            return IMG_INFLATE_DAMAGED; /* The stream ends too early. */
        if (stop != IMG_INFLATE_BLOCK)
            return stop;
        state->in_block = false;
        if (state->last_block)
            return IMG_INFLATE_END;
        if (stop_at_blocks)
            return IMG_INFLATE_BLOCK;
        if (room->at >= room->limit)
            return IMG_INFLATE_OUTPUT_FULL;
    }
}
