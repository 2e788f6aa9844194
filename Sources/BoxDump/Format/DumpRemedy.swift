/// A way out of an error that depends on the options of the caller.
///
/// The messages of the library do not name options: a program that offers them adds how they are
/// called there.
public enum DumpRemedy: Hashable, Sendable {
  /// Set ``ImportOptions/entity``.
  case nameEntity
  /// Pass a model to create the store with.
  case passModel
  /// Raise ``ImportOptions/maximumElement``.
  case raiseElementLimit
  /// Continue the interrupted import by ``ImportOptions/resumes``, or discard it by
  /// ``ImportOptions/restarts``.
  case resumeOrRestart
  /// Discard the interrupted import by ``ImportOptions/restarts``.
  case restart
  /// Continue the interrupted import with these options.
  case restoreSettings(ImportSettings)
  /// Continue the interrupted import with this treatment of unknown members.
  case restoreUnknown(UnknownMemberPolicy)
  /// Continue the interrupted import with this form of its files.
  case restoreForm(InputForm)
  /// Set ``InputForm/format`` if the text is CSV.
  case nameFormat
  /// Leave the values out by ``ImportOptions/unknown``.
  case ignoreUnknown
  /// Set ``InputForm/delimiter``.
  case nameDelimiter
  /// Set ``TableForm/null`` to a text that is neither a number nor a boolean.
  case nameNull
  /// Set ``InputForm/columns``.
  case nameColumns
  /// Set ``InputForm/records`` to the place of the records.
  case nameRecords(RecordPath)
  /// Set ``InputForm/quotes`` if the file does not use them.
  case ignoreQuotes
  /// Import the parts that there are.
  case allowPartialDirectories
  /// Export the dumps again without converters.
  case exportWithoutConverters
  /// Export to a directory, or choose one entity by ``ExportOptions/entities``.
  case nameDirectory
  /// Set ``ExportOptions/shape`` to a directory or a document.
  case nameShape
  /// Add the entity to ``ExportOptions/entities``.
  case exportEntity(String)
  /// Correct ``ExportOptions/condition``, in which the position of the error is.
  case correctCondition
  /// Leave the relation out by ``ExportOptions/fields``.
  case leaveRelationOut
}
