#ifndef BOXJOINT_CHECKSUM_SHIM_H
#define BOXJOINT_CHECKSUM_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
// The builtins and not the intrinsics: the module of those does not come along when it is inlined.
static inline int boxjoint_crc32c_is_fast(void) { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) static inline uint32_t boxjoint_crc32c_fast(
    uint32_t crc, const unsigned char *bytes, size_t count) {
  uint64_t wide = crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes += 8;
    count -= 8;
  }
  crc = (uint32_t)wide;
  while (count--) crc = __builtin_ia32_crc32qi(crc, *bytes++);
  return crc;
}

// A record's key and bytes in one call: it is made for each record that is read.
__attribute__((target("sse4.2"))) static inline uint32_t boxjoint_crc32c_keyed_fast(
    uint64_t key, const unsigned char *bytes, size_t count) {
  uint64_t wide = __builtin_ia32_crc32di(~(uint32_t)0, key);
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes += 8;
    count -= 8;
  }
  uint32_t crc = (uint32_t)wide;
  while (count--) crc = __builtin_ia32_crc32qi(crc, *bytes++);
  return ~crc;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
static inline int boxjoint_crc32c_is_fast(void) { return 1; }

static inline uint32_t boxjoint_crc32c_fast(
    uint32_t crc, const unsigned char *bytes, size_t count) {
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = __builtin_arm_crc32cd(crc, word);
    bytes += 8;
    count -= 8;
  }
  while (count--) crc = __builtin_arm_crc32cb(crc, *bytes++);
  return crc;
}

static inline uint32_t boxjoint_crc32c_keyed_fast(
    uint64_t key, const unsigned char *bytes, size_t count) {
  return ~boxjoint_crc32c_fast(__builtin_arm_crc32cd(~(uint32_t)0, key), bytes, count);
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
