// What every program of `scripts/bench store` shares: the objects, their checksum, and measuring.
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The object "Mixed": an id and eight fields, f of them indexed.
struct mixed {
  int64_t id;
  int64_t a;
  double c;
  int64_t f;
  int64_t g;
  int32_t b;
  float d;
  char name[16];
  uint8_t e;
};

enum {
  MIXED_NAME_LENGTH = 16,
  OBJECTS_PER_VALUE = 10,
  BATCH = 10000,
  SINGLE_PUTS = 1000,
};

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

// splitmix64
static inline uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += GOLDEN;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Makes the object with an id of 1 or more. Each object takes its own eight numbers of one stream,
// so that any of them can be made alone.
static inline void make_mixed(struct mixed *object, uint64_t seed, int64_t count, int64_t id) {
  uint64_t state = seed + (uint64_t)id * 8 * GOLDEN;
  object->id = id;
  object->a = (int64_t)next_random(&state);
  object->c = (double)(next_random(&state) >> 11) * 0x1p-53;
  object->g = 1600000000000 + (int64_t)(next_random(&state) >> 26);
  object->b = (int32_t)next_random(&state);
  uint64_t bits = next_random(&state);
  object->d = (float)(bits >> 40) * 0x1p-24f;
  object->e = bits & 1;
  // A prime that is a factor of no count scatters the values.
  object->f = (int64_t)((uint64_t)(id - 1) * 2654435761u % (uint64_t)count) / OBJECTS_PER_VALUE;
  uint64_t letters = next_random(&state);
  for (int half = 0; half < 2; half++) {
    // Eight numbers of four bits, each in a byte of its own, become letters from a to p.
    uint64_t word = (letters >> (32 * half)) & 0xFFFFFFFFu;
    word = (word | word << 16) & 0x0000FFFF0000FFFFu;
    word = (word | word << 8) & 0x00FF00FF00FF00FFu;
    word = (word | word << 4) & 0x0F0F0F0F0F0F0F0Fu;
    word += 0x6161616161616161u;
    memcpy(object->name + 8 * half, &word, 8);
  }
}

// The id to get next, from 1 to count.
static inline int64_t next_id(uint64_t *state, int64_t count) {
  return 1 + (int64_t)(next_random(state) % (uint64_t)count);
}

// The value of f to look up next. Each has OBJECTS_PER_VALUE objects.
static inline int64_t next_value(uint64_t *state, int64_t count) {
  return (int64_t)(next_random(state) % (uint64_t)(count / OBJECTS_PER_VALUE));
}

static inline int64_t with_one_added(int64_t a) { return (int64_t)((uint64_t)a + 1); }

// A number that changes with any of the fields. Those of several objects are added up, in whatever
// order they come.
static inline uint64_t sum_of(int64_t a, int32_t b, double c, float d, uint8_t e, int64_t f,
                              int64_t g, const void *name, size_t length) {
  uint64_t c_bits, sum = length;
  uint32_t d_bits;
  memcpy(&c_bits, &c, sizeof c);
  memcpy(&d_bits, &d, sizeof d);
  const unsigned char *bytes = name;
  for (; length >= 8; length -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    sum = sum * 31 + word;
  }
  for (; length > 0; length--) sum = sum * 31 + *bytes++;
  return sum + (uint64_t)a + (uint64_t)b * 3 + c_bits * 5 + (uint64_t)d_bits * 7 +
         (uint64_t)e * 11 + (uint64_t)f * 13 + (uint64_t)g * 17;
}

static inline uint64_t sum_of_mixed(const struct mixed *m) {
  return sum_of(m->a, m->b, m->c, m->d, m->e, m->f, m->g, m->name, MIXED_NAME_LENGTH);
}

// What one run was asked to do: PROGRAM OPERATION DIRECTORY COUNT SEED.
struct request {
  const char *operation;
  const char *directory;
  int64_t count;
  uint64_t seed;
};

// Ends the process if the arguments are none of these.
struct request read_request(int argument_count, char **arguments);

struct measure {
  double start_seconds, start_cpu, commit_cpu;
  double seconds, cpu;
};

// Everything between the two is measured; the store is opened before and closed after.
void start_measure(struct measure *measure);
void stop_measure(struct measure *measure);

// Stands right before the last commit.
void about_to_commit(struct measure *measure);

// Prints {"seconds", "cpu", "cpu_before_commit", "peak_mb", "objects", "checksum"}. The CPU time is
// that of all threads, user and system, in seconds.
void print_measure(const struct measure *measure, int64_t objects, uint64_t checksum);

// Of `scripts/bench query`: owners of objects, and how often each query runs.
enum { OWNERS = 1000, RANKS = 100 };

// Of `scripts/bench api`: puts that a thread of the store makes, as a draft and an import do; objects with
// ten related ones each; the part of the objects that is enough for a slow way to one; and the objects of a
// list that is followed.
enum { ASYNC_PUTS = 100000, RELATED = 1000, KEY_PART = 5, MONITORED = 10000 };

// The owner of an object, from 1 to OWNERS.
static inline int64_t owner_of(int64_t id) {
  return 1 + (int64_t)((uint64_t)id * 2654435761u % OWNERS);
}

static inline int32_t rank_of(int64_t owner) { return (int32_t)(owner % RANKS); }

// The number of times that a query runs in one process; 0 for one that is not known.
static inline int64_t repetitions_of(const char *operation) {
  static const struct {
    const char *name;
    int64_t count;
  } known[] = {
      {"fill", 1},       {"look-up", 20000},    {"by-hand", 20000}, {"count-equal", 100000},
      {"contains", 3},   {"contains-nocase", 3}, {"first-ten", 5000}, {"sort-ten", 3},
      {"join", 20},      {"sum", 5},            {"group", 3},       {"empty", 1000000},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i].name, operation)) return known[i].count;
  return 0;
}

#endif
