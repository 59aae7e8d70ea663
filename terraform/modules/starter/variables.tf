variable "team" {
  description = "Name of the team, part of its environments' identifiers: 1 to 40 of a-z, 0-9 and '-'."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{0,39}$", var.team))
    error_message = "The name is 1 to 40 of a-z, 0-9 and '-', not starting with '-'."
  }
}

variable "stages" {
  description = "Environments of the team, and how long their data are kept: short, standard or long."
  type        = map(string)
  default     = { production = "standard", staging = "short" }

  validation {
    condition     = length(var.stages) > 0 && alltrue([for profile in values(var.stages) : contains(["short", "standard", "long"], profile)])
    error_message = "There is at least one stage, and its data are kept short, standard or long."
  }
  validation {
    condition     = alltrue([for stage in keys(var.stages) : can(regex("^[a-z0-9][a-z0-9-]{0,21}$", stage))])
    error_message = "A stage is 1 to 22 of a-z, 0-9 and '-', not starting with '-'."
  }
}

variable "people" {
  description = "Mail addresses of the team; each becomes developer in all its environments."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for mail in var.people : can(regex("^[^@\\s]+@[^@\\s]+$", mail))])
    error_message = "People are named by their mail addresses."
  }
}

variable "active_series" {
  description = "Series that each environment may have active; series in excess count for overflow series."
  type        = number
  default     = 50000

  validation {
    condition     = var.active_series >= 1
    error_message = "At least one series."
  }
}

variable "deletion_protection" {
  description = "Whether environments that have data must not be destroyed."
  type        = bool
  default     = true
}

variable "packs" {
  description = "Packs of alert rules for each environment, as in [\"kafka\"]."
  type        = set(string)
  default     = []
}

variable "routes" {
  description = "Where incidents of each environment are told to, by name: the kind of service, its address, and of which incidents it is told."
  type = map(object({
    kind                = string
    url                 = string
    severities          = optional(set(string), [])
    labels              = optional(map(string), {})
    rotation            = optional(string)
    routing_key_version = optional(string)
    send_test           = optional(bool)
  }))
  default = {}
}

variable "routing_keys" {
  description = "Routing keys of pagerduty and opsgenie by the name of the route. They are in neither plan nor state."
  type        = map(string)
  default     = {}
  sensitive   = true
  ephemeral   = true
}

variable "dashboards" {
  description = "Dashboards as JSON, as the console exports them, by names of your own; one that says where to begin is made in any case."
  type        = map(string)
  default     = {}
}
