import BoxStore

// What the samples of CoreStore's document about animals take as given.

/// A store of a dog and its master.
@MainActor func storeOfADog() throws -> Store {
  let store = try emptyStore()
  let dog = Dog()
  dog.species = "Canis familiaris"
  dog.nickname = "Spot"
  dog.master.target = Person()
  try store.box(for: Dog.self).put(dog)
  return store
}
