struct JSONPrinter { func print(_ report: Report) -> String { "" } }
