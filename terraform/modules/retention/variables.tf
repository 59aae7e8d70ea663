variable "environments" {
  description = "Identifiers of the environments that get the policy."
  type        = set(string)

  validation {
    condition     = alltrue([for id in var.environments : can(regex("^[a-z0-9][a-z0-9-]{0,62}$", id))])
    error_message = "An identifier is 1 to 63 of a-z, 0-9 and '-', not starting with '-'."
  }
}

variable "profile" {
  description = "How long data are kept: short (a week of minutes), standard (a month of minutes, a year of hours) or long (a year of minutes, days for ten years)."
  type        = string
  default     = "standard"

  validation {
    condition     = contains(["short", "standard", "long"], var.profile)
    error_message = "The profile is short, standard or long."
  }
}

variable "exceptions" {
  description = "Days by level for single metrics, or for beginnings of names followed by '*'."
  type = map(object({
    raw_days       = optional(number)
    rollup_1m_days = optional(number)
    rollup_1h_days = optional(number)
    rollup_1d_days = optional(number)
  }))
  default = {}

  validation {
    condition     = alltrue([for days in flatten([for each in values(var.exceptions) : values(each)]) : days == null ? true : days >= 1 && days <= 36500])
    error_message = "Days are 1 to 36500; leave a level out to keep it without a limit."
  }
  validation {
    condition     = length(var.exceptions) <= 100
    error_message = "There are at most 100 exceptions."
  }
}
