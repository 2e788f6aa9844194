/// The form in which values are written.
package struct ValueForm: Sendable {
  /// The form of 64-bit integers.
  package var integers = IntegerForm.number
  /// The form of dates.
  package var dates = DateForm.number
  /// The zone of dates that are ISO 8601.
  package var zone = DateZone.utc
  /// The form of bytes.
  var bytes = BytesForm.base64
  /// The converters; nil for raw values.
  package var converters: ExportConverters?

  /// Numbers, without converters.
  package init() {}
}

extension ExportOptions {
  /// The form of the values of an export.
  var values: ValueForm {
    var form = ValueForm()
    (form.integers, form.dates, form.bytes) = (integers, dates, bytes)
    form.converters = converters
    return form
  }
}
