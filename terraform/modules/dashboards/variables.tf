variable "definitions" {
  description = "Dashboards as JSON, as the console exports them, by names of your own: { for name in fileset(path.root, \"dashboards/*.json\") : name => file(name) }."
  type        = map(string)

  validation {
    condition     = alltrue([for text in values(var.definitions) : can(jsondecode(text).title) && can(jsondecode(text).panels[*].type)])
    error_message = "A definition is JSON with a title and panels, as the console exports it."
  }
}

variable "prefix" {
  description = "What titles begin with, as in \"Orders: \"."
  type        = string
  default     = ""

  validation {
    condition     = length(var.prefix) <= 50
    error_message = "The prefix is at most 50 characters."
  }
}
