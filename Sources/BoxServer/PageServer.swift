package import BoxBrowse
internal import BoxDump
internal import BoxSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The server of pages: HTTP/1.1 on an address of this machine alone.
///
/// One thread reads and writes the connections, and makes the answers that take a few system calls. All others are
/// made by other threads, which begin when there is work and end after it.
package final class PageServer: Sendable {
  /// The largest head of a request in bytes.
  private static let maximumHead = 16 << 10
  /// The largest number of connections.
  private static let maximumConnections = 32
  /// The time limit for the head of a request.
  private static let headTime = TimeAmount.seconds(10)

  /// The time between looks for stores that nobody reads.
  private static let restTime = TimeAmount.milliseconds(250)

  private let pages: BrowseServer
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  /// The port.
  package let port: Int

  /// Begins to answer.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - ports: The ports to try, in their order; 0 takes any that is free.
  /// - Throws: ``PortsInUse`` if all ports are in use, an error of the system otherwise.
  package init(_ pages: BrowseServer, ports: [Int]) throws {
    self.pages = pages
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let workers = PageWorkers(pages: pages)
    let connections = ConnectionCount(Self.maximumConnections)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(ChannelOptions.backlog, value: 64)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard connections.take() else { throw ChannelError.ioOnClosedChannel }
          channel.closeFuture.whenComplete { _ in connections.giveBack() }
          try Self.fill(channel.pipeline.syncOperations, workers)
        }
      }
    do {
      channel = try Self.bind(bootstrap, ports)
    } catch {
      try? group.syncShutdownGracefully()
      throw error
    }
    self.group = group
    group.next().scheduleRepeatedTask(initialDelay: Self.restTime, delay: Self.restTime) { _ in
      pages.restUnused()
    }
    port = channel.localAddress?.port ?? 0
  }

  private static func bind(_ bootstrap: ServerBootstrap, _ ports: [Int]) throws -> any Channel {
    for port in ports {
      do {
        return try bootstrap.bind(host: "127.0.0.1", port: port).wait()
      } catch let error as IOError where error.errnoCode == EADDRINUSE {
        continue
      }
    }
    throw PortsInUse(ports: ports)
  }

  private static func fill(
    _ pipeline: ChannelPipeline.SynchronousOperations, _ workers: PageWorkers
  ) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = maximumHead
    limits.maxHeaderListSize = maximumHead
    limits.maxHeaderFieldCount = 128
    // An upgrade is never made, so that nothing is left over of one.
    let decoder = HTTPRequestDecoder(
      leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
    try pipeline.addHandlers(
      HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerPipelineHandler(),
      PageConnection(workers, headTime: headTime))
  }

  /// Ends all connections, and returns when they are closed.
  package func stop() {
    try? group.syncShutdownGracefully()
  }
}

/// The error that all ports are in use.
package struct PortsInUse: Error {
  /// The ports that were tried.
  package let ports: [Int]
}

/// The number of connections that are open.
private final class ConnectionCount: Sendable {
  private let maximum: Int
  private let count = Atomic(0)

  init(_ maximum: Int) { self.maximum = maximum }

  /// Counts one more; false if there are as many as there may be.
  func take() -> Bool {
    if count.add(1, ordering: .relaxed).newValue <= maximum { return true }
    giveBack()
    return false
  }

  func giveBack() { count.subtract(1, ordering: .relaxed) }
}

// MARK: - Workers

/// The threads that make answers.
private struct PageWorkers {
  let pages: BrowseServer
  let answers = WorkerThreads(maximum: 8)
  /// Exports, which last as long as their readers read; pages do not wait for them.
  let exports = WorkerThreads(maximum: 4)
}

/// Threads for work: as many as there is work for, up to a limit.
private final class WorkerThreads: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private let maximum: Int
  private let state = Mutex(State())

  init(maximum: Int) { self.maximum = maximum }

  /// Runs work on a thread of its own, or after other work.
  func run(_ work: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.waiting.append(work)
      if state.threads == maximum { return false }
      state.threads += 1
      return true
    }
    if !begins { return }
    do throws(SystemError) {
      try WorkerThread { [self] in workThrough() }.detach()
    } catch {
      // Without a thread of its own the work is done here, which other connections wait for.
      workThrough()
    }
  }

  private func workThrough() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

// MARK: - A connection

/// The requests of a connection, one after the other.
private final class PageConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let workers: PageWorkers
  private let headTime: TimeAmount
  /// The end of the connection where the head of the next request does not come in time.
  private var timer: Scheduled<Void>?
  private var request: BrowseRequest?
  private var isHead = false
  private var version = HTTPVersion.http1_1
  private var keepsAlive = false
  private var isRefused = false
  private var bodySize = 0
  /// The request of the reader to end the answer that is being made.
  private var cancellation: BrowseCancellation?

  init(_ workers: PageWorkers, headTime: TimeAmount) {
    self.workers = workers
    self.headTime = headTime
  }

  func channelActive(context: ChannelHandlerContext) {
    startTimer(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    cancellation?.request()
    context.fireChannelInactive()
  }

  private func startTimer(_ context: ChannelHandlerContext) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: headTime) {
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isRefused { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      (bodySize, keepsAlive) = (0, head.isKeepAlive)
      (isHead, version) = (head.method == .HEAD, head.version)
      let request = BrowseRequest(
        head.method.rawValue, head.uri, head.headers.map { ($0.name, $0.value) })
      self.request = request
      if let refusal = workers.pages.refusal(request) { refuse(refusal, context) }
    case .body(let bytes):
      bodySize += bytes.readableBytes
      if bodySize > BrowseServer.maximumBody {
        refuse(BrowseServer.bodyTooLarge, context)
      }
    case .end:
      timer?.cancel()
      guard let request = request.take() else { return }
      answer(request, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError, !isRefused, cancellation == nil {
      refuse(BrowseServer.malformed(isTooLarge: error == .headerOverflow), context)
    } else {
      context.close(promise: nil)
    }
  }

  /// Answers at once, and ends the connection.
  private func refuse(_ answer: BrowseAnswer, _ context: ChannelHandlerContext) {
    isRefused = true
    keepsAlive = false
    timer?.cancel()
    send(answer, context)
  }

  private func answer(_ request: BrowseRequest, _ context: ChannelHandlerContext) {
    if let answer = workers.pages.answerAtOnce(request) { return send(answer, context) }
    let cancellation = BrowseCancellation()
    self.cancellation = cancellation
    let body = PartedBody(context.channel)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let (loop, workers, isHead) = (context.eventLoop, workers, isHead)
    workers.answers.run {
      let answer = workers.pages.answer(request, cancellation)
      if let export = answer.export, !isHead {
        let head = SentHead(answer)
        // This thread hands it over, and does not use it again.
        nonisolated(unsafe) let handed = export
        return workers.exports.run { Self.send(handed, head, body, bound) }
      }
      let (head, bytes) = (SentHead(answer), answer.body)
      loop.execute {
        let (connection, context) = bound.value
        connection.send(head, bytes, context)
      }
    }
  }

  /// Sends an export while it is written.
  private static func send(
    _ export: BrowseExport, _ head: SentHead, _ body: PartedBody,
    _ bound: NIOLoopBound<(PageConnection, ChannelHandlerContext)>
  ) {
    let loop = bound.eventLoop
    body.begin = {
      loop.execute {
        let (connection, context) = bound.value
        connection.sendHead(head, length: nil, context)
      }
    }
    do {
      try export.write(body)
      try body.finish()
      loop.execute {
        let (connection, context) = bound.value
        connection.end(context)
      }
    } catch {
      if body.hasBegun {
        // Half of a body must not pass for a whole one.
        return loop.execute { bound.value.1.close(promise: nil) }
      }
      let failure = export.failure(error)
      let (head, bytes) = (SentHead(failure), failure.body)
      loop.execute {
        let (connection, context) = bound.value
        connection.send(head, bytes, context)
      }
    }
  }

  // MARK: Sending

  /// The head of an answer, which can be passed to the thread of the connections.
  private struct SentHead: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    let endsConnection: Bool

    init(_ answer: BrowseAnswer) {
      (status, fields, endsConnection) = (answer.status, answer.fields, answer.endsConnection)
    }
  }

  private func send(_ answer: BrowseAnswer, _ context: ChannelHandlerContext) {
    send(SentHead(answer), answer.body, context)
  }

  private func send(_ head: SentHead, _ bytes: [UInt8], _ context: ChannelHandlerContext) {
    sendHead(head, length: bytes.count, context)
    if !isHead {
      var buffer = context.channel.allocator.buffer(capacity: bytes.count)
      buffer.writeBytes(bytes)
      context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
    }
    end(context)
  }

  private func sendHead(_ head: SentHead, length: Int?, _ context: ChannelHandlerContext) {
    if head.endsConnection { keepsAlive = false }
    var fields = HTTPHeaders(head.fields.map { ($0.name, $0.value) })
    if let length { fields.add(name: "Content-Length", value: "\(length)") }
    if !keepsAlive { fields.add(name: "Connection", value: "close") }
    let response = HTTPResponseHead(
      version: version, status: HTTPResponseStatus(statusCode: head.status), headers: fields)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
  }

  private func end(_ context: ChannelHandlerContext) {
    cancellation = nil
    let closes = !keepsAlive
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      if closes { context.close(promise: nil) }
    }
    if !closes { startTimer(context) }
  }
}

// MARK: - A body in parts

/// A body that is sent while it is made, at the speed at which the reader takes it.
///
/// `@unchecked Sendable` holds because only the thread that makes the answer uses it.
private final class PartedBody: DumpOutput, DumpStream, @unchecked Sendable {
  /// The time for which a reader may take nothing.
  private static let stall = TimeAmount.seconds(30)

  private let channel: any Channel
  /// Called before the first part, by the thread that makes the body.
  var begin: () -> Void = {}
  /// Whether a part was sent.
  private(set) var hasBegun = false

  init(_ channel: any Channel) { self.channel = channel }

  func open(_ name: String) throws -> any DumpStream { self }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if bytes.isEmpty { return }
    beginOnce()
    var buffer = channel.allocator.buffer(capacity: bytes.count)
    buffer.writeBytes(bytes)
    // The part is sent before the next one is made, so that a slow reader needs no memory.
    let sent = channel.eventLoop.makePromise(of: Void.self)
    channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: sent)
    let limit = channel.eventLoop.scheduleTask(in: Self.stall) { [channel] in
      channel.close(promise: nil)
    }
    defer { limit.cancel() }
    try sent.futureResult.wait()
  }

  func finish() throws { beginOnce() }

  private func beginOnce() {
    if hasBegun { return }
    hasBegun = true
    begin()
  }
}
