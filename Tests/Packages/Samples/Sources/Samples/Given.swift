import BoxStore
import Foundation

// What the samples take as given, beside what all modules of samples expect.

@MainActor func storeOfUsers(_ names: (first: String, last: String)...) throws -> Box<User> {
  let box: Box<User> = try emptyStore().box()
  for name in names {
    let user = User("\(name.first) \(name.last)")
    user.firstName = name.first
    user.lastName = name.last
    try box.put(user)
  }
  return box
}

@MainActor func storeOfUsers(_ names: String...) throws -> Box<User> {
  let box: Box<User> = try emptyStore().box()
  try box.put(names.map { User($0) })
  return box
}

@MainActor func storeOfPeople(
  _ people: (first: String, last: String, age: Int)...
) throws -> Box<Person> {
  let box: Box<Person> = try emptyStore().box()
  try box.put(people.map { Person(firstName: $0.first, lastName: $0.last, age: $0.age) })
  return box
}

@MainActor func storedCustomer(orders: String...) throws -> Customer {
  let store = try emptyStore()
  let customer = Customer(name: "Ada")
  try store.box(for: Order.self).put(
    orders.map {
      let order = Order(summary: $0)
      order.customer.target = customer
      return order
    })
  guard let stored = try store.box(for: Customer.self).get(customer.id) else {
    throw ObjectBoxError.notFound(message: "the customer was put")
  }
  return stored
}

/// The newest store: that of the sample which runs.
@MainActor func storeOf(_ customer: Customer) -> Store { stores[stores.count - 1] }
