internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The exchange of input and output with a running process, until it ends.
struct ProcessExchange: ~Copyable {
  private let process: pid_t
  private var input: Pipe
  private var output: Pipe
  private var errors: Pipe
  private var result = ProcessOutput()
  /// The status from the system; nil until the process has ended.
  private var status: Int32?

  /// The time in milliseconds after the last byte until the exit of the process is checked:
  /// programs that it started may keep its output open.
  private static let interval: Int32 = 1000

  init(
    _ process: pid_t, _ input: consuming Pipe, _ output: consuming Pipe, _ errors: consuming Pipe
  ) {
    self.process = process
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// Writes the input and reads the output at the same time; `consume` may remove output from the front.
  ///
  /// - Throws: ``ChildProcess/Failure``; the process has ended then.
  package mutating func run(
    input bytes: [UInt8], patience: Int, consume: (inout [UInt8]) -> Void
  ) throws(ChildProcess.Failure) -> ProcessOutput {
    do throws(SystemError) {
      if input.writing >= 0 { _ = fcntl(input.writing, F_SETFL, O_NONBLOCK) }
      var rest = bytes[...]
      if rest.isEmpty { input.closeWriting() }
      var deadline = Self.seconds() + patience
      while output.reading >= 0 || errors.reading >= 0 || input.writing >= 0 {
        if try exchange(&rest) {
          consume(&result.standardOutput)
          deadline = Self.seconds() + patience
        } else if try hasEnded() {
          break
        } else if Self.seconds() >= deadline {
          end()
          throw SystemError(code: ETIMEDOUT)
        }
      }
      try wait(until: deadline)
    } catch {
      end()
      if error.code == ETIMEDOUT { throw .silence(seconds: patience) }
      throw .system(error)
    }
    result.status = Self.exitStatus(status ?? 0)
    return result
  }

  /// Waits until a pipe is ready, and reads or writes its bytes.
  ///
  /// - Returns: Whether a pipe was ready.
  private mutating func exchange(_ rest: inout ArraySlice<UInt8>) throws(SystemError) -> Bool {
    // The system passes over a negative descriptor.
    var ready = [
      pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0),
    ]
    let count = try retryingInterrupts { poll(&ready, 3, Self.interval) }
    if count == 0 { return false }
    if ready[0].revents != 0, try !Self.read(output.reading, &result.standardOutput) {
      output.closeReading()
    }
    if ready[1].revents != 0, try !Self.read(errors.reading, &result.standardError) {
      errors.closeReading()
    }
    if ready[2].revents != 0, try !Self.write(input.writing, &rest) { input.closeWriting() }
    return true
  }

  /// Reads the available bytes; returns false at the end.
  private static func read(
    _ descriptor: Int32, _ bytes: inout [UInt8]
  ) throws(SystemError) -> Bool {
    let size = 1 << 16
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: size))
    var count = 0
    defer { bytes.removeLast(size - count) }
    count = try retryingInterrupts {
      bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { systemRead(descriptor, $0 + start, size) } ?? 0
      }
    }
    return count > 0
  }

  /// Writes as much as the pipe has room for; returns false if nothing is left, or the reader is
  /// closed.
  private static func write(
    _ descriptor: Int32, _ rest: inout ArraySlice<UInt8>
  ) throws(SystemError) -> Bool {
    do {
      let count = try retryingInterrupts {
        rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
      return !rest.isEmpty
    } catch {
      if error.code == EAGAIN { return true }
      // The status of the program says why it did not read on.
      if error.code == EPIPE { return false }
      throw error
    }
  }

  /// Waits for the end of a process whose output is complete; usually the process has ended
  /// already.
  private mutating func wait(until deadline: Int) throws(SystemError) {
    var pause: UInt32 = 20
    while try !hasEnded() {
      if Self.seconds() >= deadline { throw SystemError(code: ETIMEDOUT) }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }

  private mutating func hasEnded() throws(SystemError) -> Bool {
    if status != nil { return true }
    var found: Int32 = 0
    let process = process
    if try retryingInterrupts({ waitpid(process, &found, WNOHANG) }) == 0 { return false }
    status = found
    return true
  }

  /// Ends the process; it gets two seconds to remove its lock files.
  private mutating func end() {
    if status != nil { return }
    kill(process, SIGTERM)
    for _ in 0..<200 {
      // A process that cannot be waited for has ended.
      if (try? hasEnded()) ?? true { return }
      usleep(10_000)
    }
    kill(process, SIGKILL)
    let process = process
    _ = try? retryingInterrupts { waitpid(process, nil, 0) }
  }

  private static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// The monotonic time in seconds.
  private static func seconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}

private func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int
) -> Int {
  #if canImport(Glibc)
    Glibc.read(descriptor, buffer, count)
  #else
    Darwin.read(descriptor, buffer, count)
  #endif
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.write(descriptor, buffer, count)
  #else
    Darwin.write(descriptor, buffer, count)
  #endif
}
