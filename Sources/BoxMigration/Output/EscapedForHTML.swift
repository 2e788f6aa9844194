internal import BoxReport

extension String {
  /// The text for a page or a drawing: nothing in it is taken for markup, nor moves the text.
  var escapedForHTML: String { escapedForDisplay.escapedForXML }
}
