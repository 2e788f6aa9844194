import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Text between the lines of generated code that looks like calls, and changes nothing.
struct MisleadingCodeTests {
  private static let comments = [
    "// CALL", "/* CALL */", "/*\nCALL\n*/", "/** a\n * CALL\n */", "/* // */ // CALL",
  ]
  /// Strings are statements, so they stand only where a line has ended.
  private static func pieces(of language: CodeLanguage) -> [String] {
    switch language {
    case .dart: ["/* a /* b */ CALL */"]
    case .swift:
      [
        "/* a /* b */ CALL */", "let _ = \"TEXT\"", "let _ = #\"a \" CALL\"#",
        "let _ = \"\"\"\n  \\\"\"\" CALL\n  \"\"\"", "let _ = \"\\(f(\"a)\")) TEXT\"",
        "let _ = \"\\(a(\"b \\(c(\")\"))\")) TEXT\"", "#if false\nCALL\n#endif",
        "#if A\n#elseif true\n#else\nCALL\n#endif", "#if false\n#if A\n#endif\nCALL\n#else\n#endif",
      ]
    case .java:
      [
        "String zed = \"TEXT\";", "String zed = \"\"\"\n  \\\"\"\" CALL\n  \"\"\";",
        "char zed = '\"'; // CALL", "char zed = '\\''; /* CALL */",
      ]
    case .go:
      [
        "var _ = \"TEXT\"", "var _ = `CALL`", "var _ = `\"\n CALL \\`", "var _ = '\"' // CALL",
      ]
    case .c:
      [
        "const char *s = \"TEXT\";", "const char *s = R\"a()\" CALL)a\";",
        "const char *s = u8R\"(\" CALL)\";", "// a \\\nCALL", "const char *s = \"\\\nTEXT\";",
        "#if 0\n\"\nCALL\n#endif", "#if 1\n#else\nCALL\n#endif", "#if (0) // a\nCALL\n#endif",
        "#if A\n#elif 0\nCALL\n#endif", "#if 1\n#elif B\nCALL\n#endif",
        "#if 0 /*\n#endif */\nCALL\n#endif", "#define A(x) x \\\n  CALL", "#define B /*\nCALL\n*/",
        "#if 0\n#if 1\n#else\n#endif\nCALL\n#endif", "int x = 1'000; // CALL",
      ]
    }
  }

  private static func calls(of language: CodeLanguage, _ random: inout SplitMix64) -> String {
    let uid = random.next() >> 1
    return switch language {
    case .dart: "ModelEntity(id: const IdUid(9, \(uid)), name: 'Zed')"
    case .swift:
      random.pick([
        "try entityBuilder.addProperty(name: \"zed\", type: PropertyType.long, id: 77, uid: \(uid))",
        "modelBuilder.lastEntity(id: 99, uid: \(uid))",
        "static let entityInfo = ObjectBox.EntityInfo(name: \"Zed\", id: 1)",
        "let entityBuilder = try modelBuilder.entityBuilder(for: Zed.self, id: 55, uid: \(uid))",
      ])
    case .java:
      random.pick([
        "entityBuilder.property(\"zed\", 6).id(77, \(uid)L);", "builder.lastEntityId(99, \(uid)L);",
        "EntityBuilder e = builder.entity(\"Zed\");", ".flags(8).indexId(9, \(uid)L)",
      ])
    case .go:
      random.pick([
        "model.Entity(\"Zed\", 77, \(uid))", "model.Property(\"zed\", 6, 77, \(uid))",
        "model.LastEntityId(99, \(uid))", "model.PropertyFlags(8)",
      ])
    case .c:
      random.pick([
        "obx_model_entity(model, \"Zed\", 77, \(uid));",
        "obx_model_property(model, \"zed\", OBXPropertyType_Long, 77, \(uid));",
        "obx_model_last_entity_id(model, 99, \(uid));", "obx_model_property_flags(model, 8);",
      ])
    }
  }

  /// Whether a piece of text may follow a line: the statement has ended, and does not continue.
  private func endsStatement(_ line: Substring, before next: Substring?) -> Bool {
    let text = line.drop { $0 == " " || $0 == "\t" }
    let rest = next?.drop { $0 == " " || $0 == "\t" } ?? ""
    return !rest.hasPrefix(".") && !rest.hasPrefix("targetId") && !text.hasPrefix("/")
      && !text.hasPrefix("*") && !text.hasPrefix("#")
      && [";", ")", "}"].contains { text.hasSuffix($0) }
  }

  @Test(arguments: CodeWriter.Shape.allCases)
  func textThatIsNotCodeChangesNothing(_ shape: CodeWriter.Shape) throws {
    let seed = TestSeed.value("textThatIsNotCodeChangesNothing \(shape)")
    let (language, count) = (shape.language, RecoverySoak.count(normal: 25))
    for number in 0..<count {
      var random = SplitMix64(seed: seed &+ UInt64(number))
      var generator = ModelGenerator(seed: random.next())
      let files = CodeWriter.files(generator.model(), shape)
      let pieces = Self.comments + Self.pieces(of: language)
      let changed = files.map { file in
        let lines = String(decoding: file.bytes, as: UTF8.self).split(
          separator: "\n", omittingEmptySubsequences: false)
        var text = ""
        for (position, line) in lines.enumerated() {
          text += line + "\n"
          let next = position + 1 < lines.count ? lines[position + 1] : nil
          guard random.below(4) == 0, endsStatement(line, before: next) else { continue }
          let call = Self.calls(of: language, &random)
          let quoted = call.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          text += random.pick(pieces).replacing("CALL", with: call).replacing("TEXT", with: quoted)
          text += "\n"
        }
        let end = random.pick(["\n", "\r\n"])
        return CodeScan.File(
          path: file.path, bytes: Array(text.replacing("\n", with: end).utf8))
      }
      let (plain, found) = (CodeScan.evidence(in: files), CodeScan.evidence(in: changed))
      try #require(plain.count == 1 && found.count == 1, "\(shape) \(number)")
      #expect(found[0].problems == [], "\(shape) \(number)")
      #expect(found[0].isComplete, "\(shape) \(number)")
      #expect(found[0].model == plain[0].model, "\(shape) \(number)")
    }
  }

  /// Code whose condition is not known counts, in each branch.
  @Test(arguments: [
    "#if 0 || 1", "#if !0", "#ifdef A", "#if A", "#if 10", "#if 1 // 0", "#ifndef B",
  ])
  func codeUnderAConditionCounts(_ condition: String) throws {
    let code = """
      #ifdef __cplusplus
      extern "C" {
      #else
      int y;
      #endif
      obx_model_entity(model, "A", 1, 5100000000000100);
      \(condition)
      obx_model_property(model, "id", OBXPropertyType_Long, 1, 5100000000000200);
      obx_model_property_flags(model, 1);
      #endif
      obx_model_entity_last_property_id(model, 1, 5100000000000200);
      obx_model_last_entity_id(model, 1, 5100000000000100);
      #ifdef __cplusplus
      }
      #endif

      """
    let found = CodeScan.evidence(in: [CodeScan.File(path: "a.h", bytes: Array(code.utf8))])
    #expect(found.map(\.problems) == [[]])
    #expect(found.first?.model.entities.first?.properties.count == 1)
    #expect(found.first?.isComplete ?? false)
  }
}
