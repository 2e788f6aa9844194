internal import BoxWorkspace

extension Workspace {
  /// The working directory, with notices and the progress of reading on standard error.
  static var console: Workspace { Workspace(observer: Progress(.auto)) }
}
