internal import CLMDB

/// Lets the process keep up to 32 MB of freed memory at the end of the heap.
///
/// It is for a program, and not for a library: the C library has one setting for the process. By default
/// glibc returns each freed block beyond 128 KB to the system, and LMDB frees the pages that it has changed
/// one by one when an environment is closed: 9,700 calls of the system for 300,000 objects, a sixth of the
/// processor time of their change. Other C libraries keep what they think fit.
package func keepFreedMemory() { boxjoint_keep_freed_memory(32 << 20) }
