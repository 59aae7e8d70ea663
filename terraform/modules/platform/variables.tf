variable "name" {
  description = "Name of everything that is made; part of the bucket's name."
  type        = string
  default     = "tidemark"
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,18}[a-z0-9]$", var.name))
    error_message = "Use 3 to 20 lower-case letters, digits and dashes, beginning with a letter."
  }
}

variable "cidr" {
  description = "Addresses of the network; a /16 leaves 4,096 for the pods of each zone."
  type        = string
  default     = "10.20.0.0/16"
  validation {
    condition     = can(cidrsubnet(var.cidr, 4, 15))
    error_message = "Give a network that can be divided into sixteen parts, such as 10.20.0.0/16."
  }
}

variable "zones" {
  description = "Availability zones. Kafka keeps three copies, so three zones lose none when one is away."
  type        = list(string)
  validation {
    condition     = length(var.zones) >= 2 && length(var.zones) <= 5 && length(distinct(var.zones)) == length(var.zones)
    error_message = "Name two to five different zones: the database needs two, the copies of Kafka want three."
  }
}

variable "kubernetes_version" {
  type    = string
  default = "1.34"
}

variable "public_access" {
  description = "Networks from which the cluster's API may be reached from outside. None: from inside only."
  type        = list(string)
  default     = []
  validation {
    condition     = !contains(var.public_access, "0.0.0.0/0") && alltrue([for one in var.public_access : can(cidrhost(one, 0))])
    error_message = "Name networks, not the whole internet."
  }
}

variable "nodes" {
  description = "Groups of nodes. `make sizing` says how many machines of which kind a load needs. A group begins with least; only a cluster autoscaler, which is installed apart, goes up to most."
  type = map(object({
    machine = string
    least   = number
    most    = number
    disk_gb = optional(number, 100)
    taint   = optional(string)
  }))
  default = {
    platform = { machine = "m5.4xlarge", least = 3, most = 12 }
    brokers  = { machine = "m5.2xlarge", least = 3, most = 9 }
    serving  = { machine = "r5.2xlarge", least = 3, most = 24 }
  }
  validation {
    condition     = alltrue([for group in var.nodes : group.least >= 1 && group.most >= group.least])
    error_message = "A group has one node or more, and most is not less than least."
  }
}

variable "database" {
  type = object({
    class      = optional(string, "db.m6g.large")
    storage_gb = optional(number, 100)
    most_gb    = optional(number, 1000)
    keep_days  = optional(number, 14)
  })
  default = {}
  validation {
    condition     = var.database.keep_days >= 7 && var.database.most_gb > var.database.storage_gb
    error_message = "Keep backups for seven days or more, as topics are, and let the storage grow."
  }
}

variable "namespace" {
  description = "Namespace and release name of the chart; service accounts are named after the release."
  type        = object({ namespace = optional(string, "tidemark"), release = optional(string, "tidemark") })
  default     = {}
}

variable "protect" {
  description = "Refuse to delete the database and a bucket that is not empty."
  type        = bool
  default     = true
}

variable "tags" {
  type    = map(string)
  default = {}
}
