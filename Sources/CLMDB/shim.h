#include <lmdb.h>
#if defined(__linux__)
// statfs, which tells network file systems, is not in the Glibc module.
#include <sys/vfs.h>
#endif
