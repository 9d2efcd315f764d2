/* Alpha-beta on Kalah with six houses a side, by hand: what the compiled searches of ggp are measured against.

   The same algorithm on the same words as in games/kalah/ggp_kalah: nine bits a field, houses 0 to 5 and the store
   above them; sowing is one addition. With WITH_TABLE, the table of search/ggp_search/memory/transposition_table.py
   besides: the same entries, hash, buckets and replacement, from REMEMBERED_FROM plies to go. So both visit the same
   states, and count them alike. Values are to South, terminal states and leaves are worth the store margin in seeds. */

#include <setjmp.h>
#include <stdint.h>

typedef int64_t word;

struct live {
    word nodes;      /* states entered */
    word limit;      /* stop when more are */
    word generation; /* number of the iteration, 1 to 127 */
    word table;      /* address of the buckets */
    word buckets;    /* how many there are; 0 to 2**31 - 1 */
};

struct state {
    word south, north, mover;
};

static jmp_buf stopped;

enum { BITS = 9, MASK = (1 << BITS) - 1, HOUSES = 6, STORE = BITS * HOUSES, RING = 2 * HOUSES + 1 };
#define ALL_HOUSES (((word)1 << STORE) - 1)
#define OTHER_LAP (ALL_HOUSES / MASK)
#define OWN_LAP (OTHER_LAP | (word)1 << STORE)
#define LOWEST (-((word)1 << 40))
#define HIGHEST ((word)1 << 40)
#define NOTHING (-1)

static inline word larger(word a, word b) { return a > b ? a : b; }
static inline word smaller(word a, word b) { return a < b ? a : b; }
static inline word margin(struct state s) { return (s.south >> STORE) - (s.north >> STORE); }
static inline int is_over(struct state s) { return !(s.south & ALL_HOUSES); }

/* Sow the seeds of a house of `*own`; the place of the last seed, counted around the ring from the own house 0. */
static inline word sow(word *own, word *other, word house)
{
    word at = BITS * house, seeds = *own >> at & MASK, last;
    *own -= seeds << at;
    if (seeds >= RING) {
        *own += seeds / RING * OWN_LAP;
        *other += seeds / RING * OTHER_LAP;
        seeds %= RING;
    }
    last = house + seeds;
    at += BITS;
    if (last <= HOUSES) {
        *own += OWN_LAP >> (STORE + BITS - BITS * seeds) << at;
        return last;
    }
    *own += OWN_LAP >> at << at;
    if (last < RING) {
        *other += OWN_LAP >> BITS * (RING - last);
        return last;
    }
    last -= RING;
    *own += OWN_LAP >> (STORE - BITS * last);
    *other += OTHER_LAP;
    return last;
}

static inline struct state play(struct state s, word house)
{
    word own = s.mover ? s.north : s.south, other = s.mover ? s.south : s.north;
    word last = sow(&own, &other, house), next;
    if (last < HOUSES && (own >> BITS * last & MASK) == 1) {
        word opposite = STORE - BITS * (last + 1), seeds = other >> opposite & MASK;
        if (seeds) {
            own += (seeds + 1 << STORE) - ((word)1 << BITS * last);
            other -= seeds << opposite;
        }
    }
    if (!(own & ALL_HOUSES && other & ALL_HOUSES)) {
        own = own % MASK << STORE;
        other = other % MASK << STORE;
    }
    next = last == HOUSES ? s.mover : 1 - s.mover; /* the last seed in the own store: an extra turn */
    return s.mover ? (struct state){other, own, next} : (struct state){own, other, next};
}

#if WITH_TABLE

enum { VALUE_BITS = 15, DEPTH_AT = 30, CHOICE_AT = 42, WORK_AT = 50, GENERATION_AT = 56, WHOLE = 2000 };
#define VALUES (((word)1 << VALUE_BITS) - 1)
#define ZERO ((word)1 << (VALUE_BITS - 1))

struct entry {
    word key[3], data;
};

static inline uint64_t mix(uint64_t hashed, word with)
{
    uint64_t product = (hashed ^ (uint64_t)with) * 0x9E3779B97F4A7C15u;
    return product ^ product >> 32;
}

static inline uint64_t hash_of(struct state s)
{
    return mix(mix(mix(0, s.south & ALL_HOUSES), s.north & ALL_HOUSES), s.mover);
}

static inline struct entry *place(uint64_t hashed, const struct live *live)
{
    return (struct entry *)live->table + 2 * ((hashed >> 32) * (uint64_t)live->buckets >> 32);
}

static inline word checksum(uint64_t hashed, word data) { return (word)mix(mix(mix(hashed, data), 0), 0); }

/* The entry's data if its key is that of the state, else 0. */
static inline word match(const struct entry *entry, struct state s, uint64_t hashed)
{
    word data = entry->data, sum;
    if (!data)
        return 0;
    sum = checksum(hashed, data);
    return (entry->key[0] ^ sum) == (s.south & ALL_HOUSES) && (entry->key[1] ^ sum) == (s.north & ALL_HOUSES)
            && (entry->key[2] ^ sum) == s.mover ? data : 0;
}

static inline void probe(struct state s, word depth, const struct live *live, word *lower, word *upper, word *choice)
{
    uint64_t hashed = hash_of(s);
    const struct entry *bucket = place(hashed, live);
    word data = match(bucket, s, hashed), plies, low, high;
    if (!data)
        data = match(bucket + 1, s, hashed);
    if (!data)
        return;
    *choice = (data >> CHOICE_AT & 255) - 1;
    plies = data >> DEPTH_AT & 4095;
    if (plies != smaller(depth, WHOLE) || (plies != WHOLE && data >> GENERATION_AT != live->generation))
        return;
    low = data & VALUES;
    high = data >> VALUE_BITS & VALUES;
    if (low != 0)
        *lower = low - ZERO + margin(s);
    if (high != VALUES)
        *upper = high - ZERO + margin(s);
}

static inline void store(
        struct state s, word depth, word lower, word upper, word choice, word below, const struct live *live)
{
    uint64_t hashed = hash_of(s);
    struct entry *entry = place(hashed, live);
    word plies = smaller(depth, WHOLE), there = entry->data, data, sum;
    word low = smaller(larger(lower - margin(s) + ZERO, 0), VALUES - 1);
    word high = larger(smaller(upper - margin(s) + ZERO, VALUES), 1);
    word work = below ? 64 - __builtin_clzll((unsigned long long)below) : 0; /* states entered below, in binary digits */
    if (there >> GENERATION_AT == live->generation && (there >> WORK_AT & 63) > work && !match(entry, s, hashed))
        entry++;
    data = live->generation << GENERATION_AT | work << WORK_AT | choice + 1 << CHOICE_AT | plies << DEPTH_AT
            | high << VALUE_BITS | low;
    sum = checksum(hashed, data);
    entry->key[0] = (s.south & ALL_HOUSES) ^ sum;
    entry->key[1] = (s.north & ALL_HOUSES) ^ sum;
    entry->key[2] = s.mover ^ sum;
    entry->data = data;
}

#endif

static word value(word south, word north, word mover, word depth, word alpha, word beta, struct live *live)
{
    struct state s = {south, north, mover}, next;
    word lower = LOWEST, upper = HIGHEST, choice = NOTHING, best, window, house, left, child;
    if (++live->nodes > live->limit)
        longjmp(stopped, 1);
    if (is_over(s) || depth == 0)
        return margin(s);
#if WITH_TABLE
    const word entered = live->nodes;
    if (depth >= REMEMBERED_FROM)
        probe(s, depth, live, &lower, &upper, &choice);
    if (lower >= beta || lower == upper)
        return lower;
    if (upper <= alpha)
        return upper;
    alpha = larger(alpha, lower);
    beta = smaller(beta, upper);
#endif
    if (s.mover == 0) {
        best = lower;
        window = alpha;
        for (house = 0, left = s.south & ALL_HOUSES; left; house++, left >>= BITS) {
            if (!(left & MASK))
                continue;
            next = play(s, house);
            child = value(next.south, next.north, next.mover, depth - 1, window, beta, live);
            if (child > best) {
                best = child;
                choice = house;
                if (best >= beta)
                    break;
                window = larger(window, best);
            }
        }
    } else {
        best = upper;
        window = beta;
        for (house = 0, left = s.north & ALL_HOUSES; left; house++, left >>= BITS) {
            if (!(left & MASK))
                continue;
            next = play(s, house);
            child = value(next.south, next.north, next.mover, depth - 1, alpha, window, live);
            if (child < best) {
                best = child;
                choice = house;
                if (best <= alpha)
                    break;
                window = smaller(window, best);
            }
        }
    }
#if WITH_TABLE
    if (depth >= REMEMBERED_FROM)
        store(s, depth, best > alpha ? best : lower, best < beta ? best : upper, choice, live->nodes - entered, live);
#else
    (void)choice;
#endif
    return best;
}

/* The value of a state by the full window, in `*found`; not 0 if more than `live->limit` states were entered. */
int search(word south, word north, word mover, word depth, struct live *live, word *found)
{
    if (setjmp(stopped))
        return 1;
    *found = value(south, north, mover, depth, LOWEST, HIGHEST, live);
    return 0;
}
