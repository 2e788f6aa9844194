internal import ArgumentParser
internal import BoxTool

extension ProgressChoice: ExpressibleByArgument {}
