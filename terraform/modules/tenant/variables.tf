variable "environments" {
  description = "Environments by identifier: what people call them, and whether they may be destroyed with data."
  type = map(object({
    display_name        = string
    deletion_protection = optional(bool, true)
  }))

  validation {
    condition     = length(var.environments) > 0
    error_message = "Name at least one environment."
  }
  validation {
    condition     = alltrue([for id in keys(var.environments) : can(regex("^[a-z0-9][a-z0-9-]{0,62}$", id))])
    error_message = "An identifier is 1 to 63 of a-z, 0-9 and '-', not starting with '-'."
  }
}

variable "people" {
  description = "Mail addresses of people to invite, and their roles: in the whole organisation, or by environment."
  type = map(object({
    role         = optional(string)
    environments = optional(map(string), {})
  }))
  default = {}

  validation {
    condition     = alltrue([for person in values(var.people) : person.role != null || length(person.environments) > 0])
    error_message = "Each person needs a role, in the organisation or in an environment."
  }
  validation {
    condition     = alltrue([for mail in keys(var.people) : can(regex("^[^@\\s]+@[^@\\s]+$", mail))])
    error_message = "People are named by their mail addresses."
  }
}

variable "machines" {
  description = "Service accounts by name: their role, and the scopes of a key in each environment."
  type = map(object({
    role     = optional(string, "developer")
    keys     = map(set(string))
    rotation = optional(string)
  }))
  default = {}

  validation {
    condition     = alltrue(flatten([for machine in values(var.machines) : [for scopes in values(machine.keys) : length(scopes) > 0]]))
    error_message = "A key needs at least one permission, as in [\"metrics:write\"]."
  }
}
