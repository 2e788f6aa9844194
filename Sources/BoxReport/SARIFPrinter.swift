struct SARIFPrinter { func print(_ report: Report) -> String { "" } }
