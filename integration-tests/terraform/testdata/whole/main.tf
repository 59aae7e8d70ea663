terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "person" { type = string }

# What every resource has that can change in place: text, and a number.
variable "text" { default = "First" }
variable "number" { default = 10 }

# What the plan replaces objects for, beside the environment.
variable "mail" { default = "whole" }
variable "role" { default = "developer" }
variable "pack" { default = "jvm" }

resource "tidemark_organization_settings" "this" {
  display_name = "Whole ${var.text}"
}

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = var.text
}

resource "tidemark_metric" "this" {
  environment_id = tidemark_environment.this.id
  name           = "requests"
  description    = var.text
}

resource "tidemark_resource" "this" {
  environment_id = tidemark_environment.this.id
  type           = "kafka"
  name           = "lkc-orders"
  display_name   = var.text
}

resource "tidemark_retention_policy" "this" {
  environment_id = tidemark_environment.this.id
  rollup_1m_days = var.number
}

resource "tidemark_budgets" "this" {
  holder        = "environment/${tidemark_environment.this.id}"
  active_series = var.number
}

resource "tidemark_quotas" "this" {
  holder              = "environment/${tidemark_environment.this.id}"
  requests_per_second = var.number
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
  rotation_overlap   = "0s"
}

resource "tidemark_role_binding" "this" {
  person_id      = var.person
  role           = var.role
  environment_id = tidemark_environment.this.id
}

resource "tidemark_invitation" "this" {
  mail   = "${var.environment}-${var.mail}@example.org"
  grants = [{ role = "developer", environment_id = tidemark_environment.this.id }]
}

resource "tidemark_dashboard" "this" {
  title       = "Whole ${var.environment}"
  description = var.text
  panels      = [{ type = "text", text = "Whole" }]
}

resource "tidemark_alert_rule" "this" {
  environment_id = tidemark_environment.this.id
  name           = "Requests"
  description    = var.text
  severity       = "info"
  condition      = { metric = tidemark_metric.this.name, operator = "gt", threshold = var.number }
}

resource "tidemark_notification_integration" "this" {
  environment_id = tidemark_environment.this.id
  name           = var.text
  kind           = "webhook"
  url            = "https://hooks.example.org/whole"
  send_test      = false
}

resource "tidemark_silence" "this" {
  environment_id = tidemark_environment.this.id
  comment        = var.text
  matchers       = [{ label = "severity", operator = "eq", value = "info" }]
  starts_at      = "2030-01-06T02:00:00Z"
  ends_at        = "2030-01-06T04:00:00Z"
}

resource "tidemark_alert_pack" "this" {
  environment_id = tidemark_environment.this.id
  pack           = var.pack
}

resource "tidemark_spending_budget" "this" {
  amount = "${var.number}.50"
}
