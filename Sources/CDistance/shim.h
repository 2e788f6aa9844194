#ifndef BOXJOINT_DISTANCE_SHIM_H
#define BOXJOINT_DISTANCE_SHIM_H

#include <stddef.h>
#include <stdint.h>

// Eight numbers at once; the compiler divides them where registers are narrower. They may stand at any
// address: those of records do.
typedef float boxjoint_floats __attribute__((vector_size(32), aligned(1), may_alias));
typedef double boxjoint_doubles __attribute__((vector_size(64), aligned(1), may_alias));

#define BOXJOINT_FLOATS(pointer) (*(const boxjoint_floats *)(pointer))
#define BOXJOINT_DOUBLES(pointer) __builtin_convertvector(BOXJOINT_FLOATS(pointer), boxjoint_doubles)

static inline float boxjoint_float_at(const char *bytes, size_t index) {
  float number;
  __builtin_memcpy(&number, bytes + 4 * index, 4);
  return number;
}

// Sums of single precision for a graph, whose vectors have a multiple of 16 numbers. Four sums go at
// once, as an addition takes four cycles before the next can use its result.
//
// Sums of double precision for answers. They must not depend on the processor, so nothing is contracted
// to one operation with one rounding, and the eight sums are added in one order.
#define BOXJOINT_KERNELS(NAME, TARGET)                                                             \
  TARGET static inline float boxjoint_total_##NAME(boxjoint_floats a, boxjoint_floats b) {         \
    boxjoint_floats sum = a + b;                                                                   \
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));      \
  }                                                                                                \
                                                                                                   \
  TARGET static inline float boxjoint_near_squares_##NAME(                                         \
      const float *a, const float *b, size_t count) {                                              \
    boxjoint_floats s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};                                        \
    size_t i = 0;                                                                                  \
    for (; i + 32 <= count; i += 32) {                                                             \
      boxjoint_floats d0 = BOXJOINT_FLOATS(a + i) - BOXJOINT_FLOATS(b + i);                        \
      boxjoint_floats d1 = BOXJOINT_FLOATS(a + i + 8) - BOXJOINT_FLOATS(b + i + 8);                \
      boxjoint_floats d2 = BOXJOINT_FLOATS(a + i + 16) - BOXJOINT_FLOATS(b + i + 16);              \
      boxjoint_floats d3 = BOXJOINT_FLOATS(a + i + 24) - BOXJOINT_FLOATS(b + i + 24);              \
      s0 += d0 * d0;                                                                               \
      s1 += d1 * d1;                                                                               \
      s2 += d2 * d2;                                                                               \
      s3 += d3 * d3;                                                                               \
    }                                                                                              \
    for (; i < count; i += 8) {                                                                    \
      boxjoint_floats d0 = BOXJOINT_FLOATS(a + i) - BOXJOINT_FLOATS(b + i);                        \
      s0 += d0 * d0;                                                                               \
    }                                                                                              \
    return boxjoint_total_##NAME(s0 + s1, s2 + s3);                                                \
  }                                                                                                \
                                                                                                   \
  TARGET static inline float boxjoint_near_products_##NAME(                                        \
      const float *a, const float *b, size_t count) {                                              \
    boxjoint_floats s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};                                        \
    size_t i = 0;                                                                                  \
    for (; i + 32 <= count; i += 32) {                                                             \
      s0 += BOXJOINT_FLOATS(a + i) * BOXJOINT_FLOATS(b + i);                                       \
      s1 += BOXJOINT_FLOATS(a + i + 8) * BOXJOINT_FLOATS(b + i + 8);                               \
      s2 += BOXJOINT_FLOATS(a + i + 16) * BOXJOINT_FLOATS(b + i + 16);                             \
      s3 += BOXJOINT_FLOATS(a + i + 24) * BOXJOINT_FLOATS(b + i + 24);                             \
    }                                                                                              \
    for (; i < count; i += 8) s0 += BOXJOINT_FLOATS(a + i) * BOXJOINT_FLOATS(b + i);               \
    return boxjoint_total_##NAME(s0 + s1, s2 + s3);                                                \
  }                                                                                                \
                                                                                                   \
  TARGET static inline void boxjoint_near_##NAME(                                                  \
      const float *from, const float *table, size_t width, const uint32_t *rows, size_t count,     \
      int isProduct, float *distances) {                                                           \
    for (size_t i = 0; i < count; i++) {                                                           \
      if (i + 1 < count) {                                                                         \
        const float *next = table + width * rows[i + 1];                                           \
        for (size_t line = 0; line < width && line < 128; line += 16)                              \
          __builtin_prefetch(next + line);                                                         \
      }                                                                                            \
      const float *row = table + width * rows[i];                                                  \
      distances[i] = isProduct ? -boxjoint_near_products_##NAME(from, row, width)                  \
                               : boxjoint_near_squares_##NAME(from, row, width);                   \
    }                                                                                              \
  }                                                                                                \
                                                                                                   \
  TARGET static inline double boxjoint_squares_##NAME(                                             \
      const float *a, const char *b, size_t count) {                                               \
    _Pragma("clang fp contract(off)");                                                             \
    boxjoint_doubles s = {0};                                                                      \
    size_t i = 0;                                                                                  \
    for (; i + 8 <= count; i += 8) {                                                               \
      boxjoint_doubles d = BOXJOINT_DOUBLES(b + 4 * i) - BOXJOINT_DOUBLES(a + i);                  \
      s += d * d;                                                                                  \
    }                                                                                              \
    double sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));                \
    for (; i < count; i++) {                                                                       \
      double d = (double)boxjoint_float_at(b, i) - (double)a[i];                                   \
      sum += d * d;                                                                                \
    }                                                                                              \
    return sum;                                                                                    \
  }                                                                                                \
                                                                                                   \
  TARGET static inline double boxjoint_products_##NAME(                                            \
      const float *a, const char *b, size_t count) {                                               \
    _Pragma("clang fp contract(off)");                                                             \
    boxjoint_doubles s = {0};                                                                      \
    size_t i = 0;                                                                                  \
    for (; i + 8 <= count; i += 8) s += BOXJOINT_DOUBLES(b + 4 * i) * BOXJOINT_DOUBLES(a + i);     \
    double sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));                \
    for (; i < count; i++) sum += (double)boxjoint_float_at(b, i) * (double)a[i];                  \
    return sum;                                                                                    \
  }                                                                                                \
                                                                                                   \
  TARGET static inline double boxjoint_own_products_##NAME(const char *b, size_t count) {          \
    _Pragma("clang fp contract(off)");                                                             \
    boxjoint_doubles s = {0};                                                                      \
    size_t i = 0;                                                                                  \
    for (; i + 8 <= count; i += 8) s += BOXJOINT_DOUBLES(b + 4 * i) * BOXJOINT_DOUBLES(b + 4 * i); \
    double sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));                \
    for (; i < count; i++) {                                                                       \
      double number = boxjoint_float_at(b, i);                                                     \
      sum += number * number;                                                                      \
    }                                                                                              \
    return sum;                                                                                    \
  }

BOXJOINT_KERNELS(plain, )

#if defined(__x86_64__)
BOXJOINT_KERNELS(wide, __attribute__((target("avx2,fma"))))

static inline int boxjoint_is_wide(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#define BOXJOINT_CHOSEN(NAME, ARGUMENTS) \
  (boxjoint_is_wide() ? NAME##_wide ARGUMENTS : NAME##_plain ARGUMENTS)
#else
#define BOXJOINT_CHOSEN(NAME, ARGUMENTS) (NAME##_plain ARGUMENTS)
#endif

// The distances of rows of a table from a vector, to order them: squares of Euclidean distances, or
// products with the other sign.
static inline void boxjoint_near(
    const float *from, const float *table, size_t width, const uint32_t *rows, size_t count,
    int isProduct, float *distances) {
  BOXJOINT_CHOSEN(boxjoint_near, (from, table, width, rows, count, isProduct, distances));
}

static inline double boxjoint_squares(const float *a, const char *b, size_t count) {
  return BOXJOINT_CHOSEN(boxjoint_squares, (a, b, count));
}

static inline double boxjoint_products(const float *a, const char *b, size_t count) {
  return BOXJOINT_CHOSEN(boxjoint_products, (a, b, count));
}

static inline double boxjoint_own_products(const char *b, size_t count) {
  return BOXJOINT_CHOSEN(boxjoint_own_products, (b, count));
}

#endif
