#include <lmdb.h>
#include <stdint.h>
#if defined(__linux__)
// statfs, which tells network file systems, is not in the Glibc module.
#include <sys/vfs.h>
#include <sys/types.h>
// Glibc declares it only for programs that ask for its extensions before the first include.
extern int fallocate(int file, int mode, off_t offset, off_t length);
// The same holds for statx.
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
// The time at which the file at a path was created, in nanoseconds; 0 if that is not known.
static inline int64_t boxjoint_birth_time(const char *path) {
  struct statx found;
  if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BTIME, &found) != 0) return 0;
  if (!(found.stx_mask & STATX_BTIME)) return 0;
  return found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec;
}
#endif

// A hint to the processor that bytes are read soon, from an address on; any address will do.
static inline void boxjoint_prefetch(uintptr_t address, size_t size) {
  for (size_t line = 0; line < size; line += 64) __builtin_prefetch((const void *)(address + line));
}

#if defined(__GLIBC__)
// Not in the Glibc module either.
#include <malloc.h>
static inline void boxjoint_keep_freed_memory(int bytes) { mallopt(M_TRIM_THRESHOLD, bytes); }
#else
static inline void boxjoint_keep_freed_memory(int bytes) { (void)bytes; }
#endif
