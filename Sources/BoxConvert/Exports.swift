// Converters are declared below the engine, which calls them; importing this module makes their names
// available.

@_exported public import struct BoxModel.ConversionError
@_exported public import enum BoxModel.ConverterScope
@_exported public import struct BoxModel.IncompatibleConverter
@_exported public import protocol BoxModel.JSONConverter
