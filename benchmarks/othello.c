/* Perft of Othello on eight by eight by hand, on the same bitboards as in games/othello: bit 8 * row + column. */

#include <stdint.h>

typedef uint64_t word;

#define NOT_FIRST 0xFEFEFEFEFEFEFEFEu
#define NOT_LAST 0x7F7F7F7F7F7F7F7Fu

enum { DIRECTIONS = 8 };
static const int STEPS[DIRECTIONS] = {-9, -8, -7, -1, 1, 7, 8, 9};
static const word TARGETS[DIRECTIONS] = {NOT_LAST, ~(word)0, NOT_FIRST, NOT_LAST, NOT_FIRST, NOT_LAST, ~(word)0, NOT_FIRST};

static inline word shift(word cells, int direction)
{
    int step = STEPS[direction];
    return (step > 0 ? cells << step : cells >> -step) & TARGETS[direction];
}

/* The empty cells in which a disc turns something over. */
static inline word places(word own, word other)
{
    word found = 0;
#pragma GCC unroll 8
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        word enclosed = shift(own, direction) & other;
        for (int length = 0; length < 5; length++)
            enclosed |= shift(enclosed, direction) & other;
        found |= shift(enclosed, direction);
    }
    return found & ~(own | other);
}

/* The discs that a disc in `cell` turns over. */
static inline word turned(word own, word other, word cell)
{
    word found = 0;
#pragma GCC unroll 8
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        word enclosed = 0, ahead = shift(cell, direction);
        while (ahead & other) {
            enclosed |= ahead;
            ahead = shift(ahead, direction);
        }
        if (ahead & own)
            found |= enclosed;
    }
    return found;
}

static word perft(word own, word other, word depth)
{
    word cells, count = 0;
    if (depth == 0)
        return 1;
    cells = places(own, other);
    if (!cells)
        return places(other, own) ? perft(other, own, depth - 1) : 0;
    for (; cells; cells &= cells - 1) {
        word cell = cells & -cells, discs = turned(own, other, cell);
        count += perft(other & ~discs, own | discs | cell, depth - 1);
    }
    return count;
}

/* The sequences of so many moves from the start; a pass is a move. */
int64_t states(int64_t depth)
{
    return (int64_t)perft((word)1 << 28 | (word)1 << 35, (word)1 << 27 | (word)1 << 36, (word)depth);
}
