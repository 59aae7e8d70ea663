variable "environment" {
  description = "Identifier of the environment."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{0,62}$", var.environment))
    error_message = "An identifier is 1 to 63 of a-z, 0-9 and '-', not starting with '-'."
  }
}

variable "packs" {
  description = "Packs of rules that Tidemark ships, as in [\"kafka\"]; the data source tidemark_alert_packs lists them."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for pack in var.packs : can(regex("^[a-z0-9][a-z0-9-]{0,62}$", pack))])
    error_message = "A pack is named by 1 to 63 of a-z, 0-9 and '-'."
  }
}

variable "labels" {
  description = "Labels of every rule, as in { team = \"orders\" }; a rule's own come first."
  type        = map(string)
  default     = {}
}

variable "rules" {
  description = "Alert rules by name: how severe they are, and what they compare."
  type = map(object({
    severity       = string
    description    = optional(string)
    enabled        = optional(bool)
    labels         = optional(map(string), {})
    annotations    = optional(map(string), {})
    runbook_url    = optional(string)
    require_metric = optional(bool)
    condition = object({
      metric                  = string
      operator                = string
      threshold               = number
      kind                    = optional(string)
      aggregation             = optional(string)
      matchers                = optional(list(object({ label = string, operator = string, value = string })))
      per_series              = optional(bool)
      group_by                = optional(set(string))
      window_minutes          = optional(number)
      recovery_threshold      = optional(number)
      for_minutes             = optional(number)
      recover_after_minutes   = optional(number)
      no_data_after_minutes   = optional(number)
      offset_minutes          = optional(number)
      percent                 = optional(bool)
      denominator_metric      = optional(string)
      denominator_aggregation = optional(string)
      quantile                = optional(number)
      days                    = optional(number)
      limit                   = optional(number)
      early                   = optional(bool)
    })
  }))
  default = {}

  validation {
    condition     = alltrue([for rule in values(var.rules) : contains(["critical", "warning", "info"], rule.severity)])
    error_message = "The severity of a rule is critical, warning or info."
  }
}

variable "routes" {
  description = "Where incidents are told to, by name: the kind of service, its address, and of which incidents it is told."
  type = map(object({
    kind                = string
    url                 = string
    severities          = optional(set(string), [])
    labels              = optional(map(string), {})
    rotation            = optional(string)
    routing_key_version = optional(string)
    send_test           = optional(bool)
    group_messages      = optional(object({ by = optional(set(string)), wait_seconds = optional(number), max_transitions = optional(number) }))
  }))
  default = {}

  validation {
    condition     = alltrue([for route in values(var.routes) : contains(["webhook", "health_plus", "slack", "teams", "pagerduty", "opsgenie", "email"], route.kind)])
    error_message = "The kind of a route is webhook, health_plus, slack, teams, pagerduty, opsgenie or email."
  }
  validation {
    condition     = alltrue([for route in values(var.routes) : alltrue([for severity in route.severities : contains(["critical", "warning", "info"], severity)])])
    error_message = "Severities of a route are critical, warning and info."
  }
}

variable "routing_keys" {
  description = "Routing keys of pagerduty and opsgenie by the name of the route. They are in neither plan nor state."
  type        = map(string)
  default     = {}
  sensitive   = true
  ephemeral   = true
}
