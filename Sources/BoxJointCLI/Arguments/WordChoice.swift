internal import ArgumentParser
internal import BoxTool

/// One of the words of a type of another module.
struct WordChoice<Word: RawRepresentable & CaseIterable & Sendable>: ExpressibleByArgument, Sendable
where Word.RawValue == String {
  var word: Word

  init(_ word: Word) { self.word = word }

  init?(argument: String) {
    guard let word = Word(rawValue: argument) else { return nil }
    self.word = word
  }

  var defaultValueDescription: String { word.rawValue }

  static var allValueStrings: [String] { Word.allCases.map(\.rawValue) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
