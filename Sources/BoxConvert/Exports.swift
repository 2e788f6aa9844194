// Converters are declared below the engine, which calls them; whoever imports this module has their names.

@_exported public import struct BoxModel.ConversionError
@_exported public import enum BoxModel.ConverterScope
@_exported public import struct BoxModel.IncompatibleConverter
@_exported public import protocol BoxModel.JSONConverter
