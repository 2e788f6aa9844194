package import ArgumentParser

/// One of the words of a type of another module.
package struct WordChoice<Word: RawRepresentable & CaseIterable & Sendable>:
  ExpressibleByArgument, Sendable
where Word.RawValue == String {
  package var word: Word

  package init(_ word: Word) { self.word = word }

  package init?(argument: String) {
    guard let word = Word(rawValue: argument) else { return nil }
    self.word = word
  }

  package var defaultValueDescription: String { word.rawValue }

  package static var allValueStrings: [String] { Word.allCases.map(\.rawValue) }

  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
