package import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Opens `/dev/null` on each of the descriptors 0 to 2 that the caller has closed.
///
/// The next file that is opened would get the number: what is printed would be written to it, and it may
/// be the file of a store. As gnulib's `stdopen` does, the direction is the wrong one, so that reading
/// input and printing still fail, with EBADF, where the caller has closed the stream.
package func occupyStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO {
    if fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF { continue }
    // The lowest number that is free, which is this one.
    _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}

/// Requires that the arguments of the program are known.
///
/// On Linux they are read from a file. Where no more can be opened, not even the name of the program is there, and
/// an empty command line would ask for help.
///
/// - Throws: ``CommandFailure`` of kind `inputOutput`.
package func requireArguments() throws(CommandFailure) {
  if !CommandLine.arguments.isEmpty { return }
  throw CommandFailure(
    .inputOutput, "cannot read the arguments: no more files can be opened (`ulimit -n`)")
}
