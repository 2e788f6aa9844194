internal import BoxConvert
internal import BoxJSON
internal import BoxMerge
internal import BoxModel

/// A kind of JSON file of our own that the driver merges by key.
struct KeyedFile: Sendable {
  /// The patterns of the files of this kind, none with a slash.
  var patterns: [String]
  /// The identities of its parts.
  var layout: KeyedLayout
  /// The steps that end a conflict, as an imperative without a trailing period.
  var advice: String
  /// Returns the reason why a text is not such a file; nil if it is one.
  var problem: @Sendable (_ bytes: [UInt8]) -> String?
  /// Returns a merged file in the form in which it is written, which the layout of ours may not be.
  var normalize: @Sendable (_ bytes: [UInt8]) -> [UInt8] = { $0 }

  /// All kinds.
  static let all = [lockOfEnums, rules, approvals]

  /// The declarations about the relations of a model, as `boxjoint-generate` writes it.
  private static let rules = KeyedFile(
    patterns: ["*" + Declarations.fileEnding],
    layout: KeyedLayout(identities: [["declarations"]: ["relation"]]),
    advice: "keep the rule that holds, or take either side and run the generator",
    problem: { bytes in
      do throws(DeclarationsError) {
        _ = try DeclarationsDocument(parsing: bytes)
        return nil
      } catch {
        return "\(error.position.line):\(error.position.column): \(error.message)"
      }
    },
    normalize: { bytes in
      (try? DeclarationsDocument(parsing: bytes))?.declarations.text ?? bytes
    })

  /// The meaning of the raw values of stored enums, as `boxjoint-generate` and `boxjoint converters lock`
  /// write it.
  private static let lockOfEnums = KeyedFile(
    patterns: ["converters-*.lock", "converters.lock"], layout: KeyedLayout(kindKey: "type"),
    advice: "keep the values that stored objects have, and run the generator"
  ) { bytes in
    do throws(CatalogueError) {
      _ = try ConverterLock(parsing: bytes)
      return nil
    } catch {
      let place = error.position.map { "\($0.line):\($0.column): " } ?? ""
      return place + error.message
    }
  }

  /// The approved changes.
  private static let approvals = KeyedFile(
    patterns: [ApprovalList.fileName],
    layout: KeyedLayout(identities: [
      ["approvals"]: ["fingerprint", "file"], ["resets"]: ["file", "from", "to"],
      ["conversions"]: ["file", "uid", "from", "to"],
    ]),
    advice: "keep one of each two"
  ) { bytes in
    do throws(PlanFileError) {
      _ = try ApprovalList(parsing: bytes)
      return nil
    } catch {
      return "\(error.position.line):\(error.position.column): \(error.message)"
    }
  }

  /// The patterns of all kinds.
  static let filePatterns = all.flatMap(\.patterns).compactMap { FilePattern($0) }

  /// The kind of a file.
  ///
  /// - Parameter path: The path from the top of the repository.
  /// - Returns: The kind; nil if it is not of any.
  /// - Complexity: O(*n*) in the length of the path.
  static func kind(of path: String) -> KeyedFile? {
    all.first { kind in
      !kind.patterns.compactMap { FilePattern($0) }.matching([path]).isEmpty
    }
  }
}
