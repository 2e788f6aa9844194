import BoxStorage
import Testing
