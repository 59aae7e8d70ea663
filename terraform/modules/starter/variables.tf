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
}

variable "people" {
  description = "Mail addresses of the team; each becomes developer in all its environments."
  type        = set(string)
  default     = []
}

variable "active_series" {
  description = "Series that each environment may have active; series in excess count for overflow series."
  type        = number
  default     = 50000
}

variable "deletion_protection" {
  description = "Whether environments that have data must not be destroyed."
  type        = bool
  default     = true
}
