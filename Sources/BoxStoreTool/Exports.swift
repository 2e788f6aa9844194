// The requests of this library take the settings, catalogues and stores of that library: importing this one
// makes both available.
@_exported public import BoxModelTool
