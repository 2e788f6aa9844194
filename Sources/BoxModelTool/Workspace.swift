// The requests of this library take a workspace, and end with the failures of that library: whoever
// imports this one has both.
@_exported public import BoxWorkspace
