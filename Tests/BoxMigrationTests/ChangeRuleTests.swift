import BoxConvert
import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

/// The table of the kinds of change.
struct ChangeRuleTests {
  @Test func idsAndNamesAreUnique() {
    #expect(Set(ChangeRule.all.map(\.rule.id)).count == ChangeRule.all.count)
    let names = ChangeRule.all.map(\.rule.name) + ModelRule.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(ChangeRule.all.allSatisfy { $0.rule.id.hasPrefix("BOX3") && $0.rule.id.count == 6 })
  }

  /// Nothing that loses data, or does not open, is left without a word on what to do.
  @Test func everyGraveChangeHasARemedy() {
    for rule in ChangeRule.all where rule.rule.severity == .error {
      #expect(rule.remedy != nil, "\(rule.rule.id)")
    }
    // What is not known from anywhere is called so.
    for rule in ChangeRule.all where rule.objectBox.source == "no public evidence" {
      #expect(rule.objectBox.grade == .unconfirmed, "\(rule.rule.id)")
    }
  }

  /// A value is carried over if the new type can hold it, as the converter promises.
  @Test func valuesFitWhereTheNewTypeHasThem() {
    func carries(_ from: PropertyType, _ to: PropertyType, _ value: Value) -> Bool {
      TypeConversion(from: from, [], to: to, [], of: "p").carries(value)
    }
    #expect(carries(.int, .long, .integer(.max)))
    #expect(carries(.long, .int, .integer(Int64(Int32.max))))
    #expect(!carries(.long, .int, .integer(Int64(Int32.max) + 1)))
    #expect(carries(.long, .double, .integer(1 << 53)))
    #expect(!carries(.long, .double, .integer((1 << 53) + 1)))
    #expect(carries(.string, .int, .string("-12")))
    #expect(!carries(.string, .int, .string("12a")))
    #expect(carries(.double, .int, .double(4)))
    #expect(!carries(.double, .int, .double(4.5)))
    #expect(!carries(.double, .int, .double(.nan)))
    #expect(!carries(.double, .int, .double(1e40)))
    #expect(carries(.int, .bool, .integer(1)))
    #expect(!carries(.int, .bool, .integer(2)))
    #expect(carries(.int, .string, .null))
    #expect(!carries(.int, .byteVector, .integer(1)))
    #expect(!carries(.date, .dateNano, .integer(.max)))
    #expect(carries(.byteVector, .string, .bytes([0x61])))
    #expect(!carries(.byteVector, .string, .bytes([0xFF])))
  }
}
