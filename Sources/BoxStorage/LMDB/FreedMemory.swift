internal import CLMDB

/// Lets the process keep up to 32 MB of freed memory at the end of the heap.
///
/// It is for a program, and not for a library: the C library has one setting for the process. By default
/// glibc gives back each block that is freed there beyond 128 KB, and LMDB frees the pages that it has
/// changed one by one when an environment is closed: thousands of calls of the system, which took a sixth
/// of the time of a change of a million objects. Other C libraries keep what they think fit.
package func keepFreedMemory() { boxjoint_keep_freed_memory(32 << 20) }
