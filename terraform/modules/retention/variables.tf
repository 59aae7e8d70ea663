variable "environments" {
  description = "Identifiers of the environments that get the policy."
  type        = set(string)
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
}
