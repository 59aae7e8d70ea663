terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "text" { default = "Kept" }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = var.text
}

resource "tidemark_metric" "this" {
  environment_id          = tidemark_environment.this.id
  name                    = "requests"
  type                    = "counter"
  unit                    = "1"
  description             = var.text
  high_cardinality_labels = ["client_id"]
}

resource "tidemark_resource" "this" {
  environment_id = tidemark_environment.this.id
  type           = "kafka"
  name           = "lkc/orders"
  display_name   = var.text
}

resource "tidemark_retention_policy" "this" {
  environment_id = tidemark_environment.this.id
  raw_days       = 7
  metrics        = [{ pattern = "debug.*", rollup_1m_days = 3 }]
}

resource "tidemark_budgets" "this" {
  holder               = "environment/${tidemark_environment.this.id}"
  active_series        = 1000
  when_series_exceeded = "refuse"
}

resource "tidemark_quotas" "this" {
  holder              = "environment/${tidemark_environment.this.id}"
  requests_per_second = 10
}

resource "tidemark_service_account" "this" {
  display_name = var.text
  role         = "developer"
}

resource "tidemark_api_key" "this" {
  service_account_id = tidemark_service_account.this.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:read"]
  rotation           = var.text
}

resource "tidemark_alert_rule" "this" {
  environment_id = tidemark_environment.this.id
  name           = "Requests"
  description    = var.text
  severity       = "info"
  condition      = { metric = tidemark_metric.this.name, operator = "gt", threshold = 10 }
}

resource "tidemark_notification_integration" "this" {
  environment_id = tidemark_environment.this.id
  name           = var.text
  kind           = "webhook"
  url            = "https://hooks.example.org/kept"
  send_test      = false
}
