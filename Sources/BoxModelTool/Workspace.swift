// The requests of this library take a workspace, and throw the failures of that library, so importing this
// one makes both available.
@_exported public import BoxWorkspace
