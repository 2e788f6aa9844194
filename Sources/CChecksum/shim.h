#ifndef BOXJOINT_CHECKSUM_SHIM_H
#define BOXJOINT_CHECKSUM_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

// The builtins and not the intrinsics: the module of those does not come along when it is inlined.
#define BOXJOINT_TARGET __attribute__((target("sse4.2,pclmul")))

static inline int boxjoint_crc32c_is_fast(void) {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

BOXJOINT_TARGET static inline uint64_t boxjoint_crc32c_word(uint64_t crc, uint64_t word) {
  return __builtin_ia32_crc32di(crc, word);
}

BOXJOINT_TARGET static inline uint64_t boxjoint_crc32c_byte(uint64_t crc, unsigned char byte) {
  return __builtin_ia32_crc32qi((uint32_t)crc, byte);
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#define BOXJOINT_TARGET

static inline int boxjoint_crc32c_is_fast(void) { return 1; }

static inline uint64_t boxjoint_crc32c_word(uint64_t crc, uint64_t word) {
  return __builtin_arm_crc32cd((uint32_t)crc, word);
}

static inline uint64_t boxjoint_crc32c_byte(uint64_t crc, unsigned char byte) {
  return __builtin_arm_crc32cb((uint32_t)crc, byte);
}

#endif

#if defined(BOXJOINT_TARGET)

static inline uint64_t boxjoint_word(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

// The last word, of one to eight bytes, goes without a loop: how many there are changes from record
// to record, and no processor foresees it. It is filled from below with zeros, which change nothing
// where the check is zero, and what of the check goes beyond the bytes is put back.
BOXJOINT_TARGET __attribute__((always_inline)) static inline uint32_t boxjoint_crc32c_serial(
    uint64_t crc, const unsigned char *bytes, size_t count) {
  if (count < 8) {
    while (count--) crc = boxjoint_crc32c_byte(crc, *bytes++);
    return (uint32_t)crc;
  }
  const unsigned char *last = bytes + count - 8;
  for (; last - bytes > 24; bytes += 32) {
    crc = boxjoint_crc32c_word(crc, boxjoint_word(bytes));
    crc = boxjoint_crc32c_word(crc, boxjoint_word(bytes + 8));
    crc = boxjoint_crc32c_word(crc, boxjoint_word(bytes + 16));
    crc = boxjoint_crc32c_word(crc, boxjoint_word(bytes + 24));
  }
  for (; bytes < last; bytes += 8) crc = boxjoint_crc32c_word(crc, boxjoint_word(bytes));
  unsigned filled = 8 * (unsigned)(bytes - last);
  uint64_t word = boxjoint_word(last) >> filled << filled;
  uint64_t beyond = crc >> (56 - filled) >> 8;
  return (uint32_t)(boxjoint_crc32c_word(0, word ^ (crc << filled)) ^ beyond);
}

#endif

#if defined(__x86_64__)

// At m, the remainder of x to the power of 64 m - 33, its bits in the order of a CRC: the product
// with a CRC, divided by the instruction (which adds 33), is that CRC after m words of zeros.
static const uint32_t boxjoint_crc32c_shifts[] = {
    0x00000000, 0x00000001, 0x493C7D27, 0xF20C0DFE, 0xBA4FC28E, 0x3DA6D0CB, 0xDDC0152B, 0x1C291D04,
    0x9E4ADDF8, 0x740EEF02, 0x39D3B296, 0x083A6EEC, 0x0715CE53, 0xC49F4F67, 0x47DB8317, 0x2AD91C30,
    0x0D3B6092, 0x6992CEA2, 0xC96CFDC0, 0x7E908048, 0x878A92A7, 0x1B3D8F29, 0xDAECE73E, 0xF1D0F55E,
    0xAB7AFF2A, 0xA87AB8A8, 0x2162D385, 0x8462D800, 0x83348832, 0x71D111A8, 0x299847D5, 0xFFD852C6,
    0xB9E02B86, 0xDCB17AA4, 0x18B33A4E, 0xF37C5AEE, 0xB6DD949B, 0x6051D5A2, 0x78D9CCB7, 0x18B0D4FF,
    0xBAC2FD7B, 0x21F3D99C, 0xA60CE07B, 0x8F158014, 0xCE7F39F4, 0xA00457F7, 0x61D82E56, 0x8D6D2C43,
    0xD270F1A2, 0x00AC29CF, 0xC619809D, 0xE9ADF796, 0x2B3CAC5D, 0x96638B34, 0x65863B64, 0xE0E9F351,
    0x1B03397F, 0x9AF01F2D, 0xEBB883BD, 0x2CFF42CF, 0xB3E32C28, 0x88F25A3A, 0x064F7F26, 0x4E36F0B0,
    0xDD7E3B0C, 0xBD6F81F8,
};

enum { BOXJOINT_MAXIMUM_LANE = 32 };

BOXJOINT_TARGET static inline uint64_t boxjoint_crc32c_shifted(uint64_t crc, size_t words) {
  typedef long long lanes __attribute__((vector_size(16)));
  lanes left = {(long long)crc, 0}, right = {boxjoint_crc32c_shifts[words], 0};
  return (uint64_t)((lanes)__builtin_ia32_pclmulqdq128(left, right, 0))[0];
}

// Below it the processor finds other work while it waits, and three parts cost more than they save.
enum { BOXJOINT_MINIMUM_FOR_LANES = 256 };

// The instruction takes three cycles and a new one can begin in each: three parts go at once. A
// function of its own: what calls it for long records alone saves no registers for short ones.
BOXJOINT_TARGET __attribute__((noinline)) static inline uint32_t boxjoint_crc32c_fast(
    uint32_t crc, const unsigned char *bytes, size_t count) {
  uint64_t first = crc;
  while (count >= BOXJOINT_MINIMUM_FOR_LANES) {
    size_t lane = (count / 8 - 1) / 3;
    if (lane > BOXJOINT_MAXIMUM_LANE) lane = BOXJOINT_MAXIMUM_LANE;
    uint64_t second = 0, third = 0;
    for (const unsigned char *end = bytes + 8 * lane; bytes != end; bytes += 8) {
      first = boxjoint_crc32c_word(first, boxjoint_word(bytes));
      second = boxjoint_crc32c_word(second, boxjoint_word(bytes + 8 * lane));
      third = boxjoint_crc32c_word(third, boxjoint_word(bytes + 16 * lane));
    }
    bytes += 16 * lane;
    // The parts meet in the word behind them.
    uint64_t before = boxjoint_crc32c_shifted(first, 2 * lane + 1) ^
                      boxjoint_crc32c_shifted(second, lane + 1);
    first = boxjoint_crc32c_word(third, boxjoint_word(bytes) ^ before);
    bytes += 8;
    count -= 24 * lane + 8;
  }
  return boxjoint_crc32c_serial(first, bytes, count);
}

// A record's key and bytes in one call: it is made for each record that is read.
BOXJOINT_TARGET static inline uint32_t boxjoint_crc32c_keyed_fast(
    uint64_t key, const unsigned char *bytes, size_t count) {
  uint64_t crc = boxjoint_crc32c_word(~(uint32_t)0, key);
  if (count < BOXJOINT_MINIMUM_FOR_LANES) return ~boxjoint_crc32c_serial(crc, bytes, count);
  return ~boxjoint_crc32c_fast((uint32_t)crc, bytes, count);
}

#elif defined(BOXJOINT_TARGET)

static inline uint32_t boxjoint_crc32c_fast(
    uint32_t crc, const unsigned char *bytes, size_t count) {
  return boxjoint_crc32c_serial(crc, bytes, count);
}

static inline uint32_t boxjoint_crc32c_keyed_fast(
    uint64_t key, const unsigned char *bytes, size_t count) {
  uint64_t crc = boxjoint_crc32c_word(~(uint32_t)0, key);
  return ~boxjoint_crc32c_serial(crc, bytes, count);
}

#else

static inline int boxjoint_crc32c_is_fast(void) { return 0; }

static inline uint32_t boxjoint_crc32c_fast(
    uint32_t crc, const unsigned char *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return crc;
}

static inline uint32_t boxjoint_crc32c_keyed_fast(
    uint64_t key, const unsigned char *bytes, size_t count) {
  (void)key;
  return boxjoint_crc32c_fast(0, bytes, count);
}

#endif
#endif
