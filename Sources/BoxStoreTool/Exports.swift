// The requests of this library take the settings, catalogues and stores of that library: whoever imports
// this one has both.
@_exported public import BoxModelTool
