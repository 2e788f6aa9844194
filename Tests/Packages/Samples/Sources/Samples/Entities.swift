import BoxStore
import Foundation

// The entity types of the samples, which the documents declare in part.

enum Role: Int {
  case `default` = 0
  case author = 1
  case admin = 2
}

final class User: Entity {
  var id: Id = 0
  var name = ""
  var firstName = ""
  var lastName = ""
  var role = 0

  init() {}
  init(_ name: String) {
    self.name = name
    firstName = name
  }
}

final class Person: Entity {
  var id: Id = 0
  var firstName = ""
  var lastName = ""
  var age = 0

  init() {}
  init(firstName: String, lastName: String, age: Int) {
    self.firstName = firstName
    self.lastName = lastName
    self.age = age
  }
}

final class Note: Entity {
  var id: Id = 0

  init() {}
}

final class ExampleEntity: Entity {
  var id: Id = 0

  init() {}
}

final class AnEntity: Entity {
  var id: Id = 0
  var number = 0

  init() {}
  init(number: Int) { self.number = number }
}

struct Author: Entity {
  var id: Id
  var name: String
  var age: Int
}

final class Customer: Entity {
  var id: Id = 0
  var name = ""
  var orders: ToMany<Order> = nil

  init() {}
  init(name: String) { self.name = name }
}

final class Order: Entity {
  var id: Id = 0
  var summary = ""
  var date: Date?
  var customer: ToOne<Customer> = nil

  init() {}
  init(summary: String) { self.summary = summary }
  init(customer: Customer) { self.customer.target = customer }
}

final class Teacher: Entity {
  var id: Id = 0
  var students: ToMany<Student> = nil

  init() {}
}

final class Student: Entity {
  var id: Id = 0
  var teachers: ToMany<Teacher> = nil

  init() {}
}

final class TreeNode: Entity {
  var id: Id = 0
  var parent: ToOne<TreeNode> = nil
  var children: ToMany<TreeNode> = nil

  init() {}
}
