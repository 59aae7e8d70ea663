terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "description" { default = "Requests" }
variable "days" { default = 30 }
variable "series" { default = 1000 }
variable "requests" { default = 10 }
variable "label" { default = "Orders" }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Everything"
}

resource "tidemark_metric" "requests" {
  environment_id          = tidemark_environment.this.id
  name                    = "http.server/requests"
  type                    = "counter"
  unit                    = "{request}"
  description             = var.description
  high_cardinality_labels = ["client_id", "partition"]
}

resource "tidemark_resource" "orders" {
  environment_id = tidemark_environment.this.id
  type           = "kafka"
  name           = "lkc/orders"
  display_name   = var.label
}

resource "tidemark_retention_policy" "this" {
  environment_id = tidemark_environment.this.id
  rollup_1m_days = var.days
}

resource "tidemark_budgets" "this" {
  holder               = "environment/${tidemark_environment.this.id}"
  active_series        = var.series
  when_series_exceeded = "refuse"
}

resource "tidemark_quotas" "this" {
  holder              = "environment/${tidemark_environment.this.id}"
  requests_per_second = var.requests
}

resource "tidemark_service_account" "this" {
  display_name = "Everything"
  role         = "developer"
}

resource "tidemark_api_key" "this" {
  service_account_id = tidemark_service_account.this.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:read"]
}

resource "tidemark_invitation" "this" {
  mail = "${var.environment}@example.org"
  grants = [
    { role = "developer" },
    { role = "environment_admin", environment_id = tidemark_environment.this.id },
  ]
}
