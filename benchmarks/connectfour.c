/* Plain alpha-beta on Connect Four, seven by six, by hand: the same bitboards, order and evaluation as in
   games/connectfour, and so the same tree. A column has seven bits, the last of which stays empty. */

#include <stdint.h>

typedef int64_t word;

enum { WIDTH = 7, HEIGHT = 6, COLUMN = HEIGHT + 1, CELLS = WIDTH * HEIGHT };
#define BOTTOM ((word)0x40810204081)
#define BOARD (BOTTOM * ((1 << HEIGHT) - 1))
#define CELLS_OF(column) ((((word)1 << HEIGHT) - 1) << (column) * COLUMN)

static word entered;

static inline int line_along(word stones, int step)
{
    stones &= stones >> step;
    return (stones & stones >> 2 * step) != 0;
}

static inline int has_line(word stones)
{
    return line_along(stones, 1) || line_along(stones, HEIGHT) || line_along(stones, COLUMN)
            || line_along(stones, COLUMN + 1);
}

/* The cells that complete a line along one direction: with two stones on this side and one on that, or three. */
static inline word gaps_along(word stones, int step)
{
    word below = stones << step, above = stones >> step, two_below = below & below << step;
    word two_above = above & above >> step;
    return (two_below & (above | below << 2 * step)) | (two_above & (below | above >> 2 * step));
}

static inline int threats(word stones, word empty)
{
    word gaps = gaps_along(stones, 1) | gaps_along(stones, HEIGHT) | gaps_along(stones, COLUMN)
            | gaps_along(stones, COLUMN + 1);
    return __builtin_popcountll((unsigned long long)(gaps & empty));
}

static inline double evaluation(word first, word second)
{
    word empty = BOARD & ~(first | second);
    return (threats(first, empty) - threats(second, empty)) / (double)(CELLS + 1);
}

static double value(word first, word second, int mover, word depth, double alpha, double beta)
{
    double best = mover ? 2 : -2;
    word landings;
    entered++;
    if (has_line(mover ? first : second))
        return mover ? 1 : -1;
    if ((first | second) == BOARD)
        return 0;
    if (depth == 0)
        return evaluation(first, second);
    landings = ((first | second) + BOTTOM) & BOARD;
    for (int column = 0; column < WIDTH; column++) {
        word stone = landings & CELLS_OF(column);
        double child;
        if (!stone)
            continue;
        if (mover) {
            child = value(first, second | stone, 0, depth - 1, alpha, beta);
            best = child < best ? child : best;
            beta = child < beta ? child : beta;
        } else {
            child = value(first | stone, second, 1, depth - 1, alpha, beta);
            best = child > best ? child : best;
            alpha = child > alpha ? child : alpha;
        }
        if (alpha >= beta)
            break;
    }
    return best;
}

/* The states that a search of the empty board enters. */
word states(word depth)
{
    entered = 0;
    value(0, 0, 0, depth, -2, 2);
    return entered;
}
