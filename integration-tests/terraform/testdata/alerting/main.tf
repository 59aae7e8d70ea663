terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "threshold" { default = 10 }
variable "rotation" { default = "first" }
variable "key_version" { default = "1" }
variable "receiver" { default = "https://hooks.example.org/orders" }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Alerting"
}

resource "tidemark_metric" "lag" {
  environment_id = tidemark_environment.this.id
  name           = "kafka.consumer.lag"
}

resource "tidemark_metric" "all" {
  environment_id = tidemark_environment.this.id
  name           = "requests"
}

resource "tidemark_alert_rule" "lag" {
  environment_id = tidemark_environment.this.id
  name           = "Orders lag"
  severity       = "critical"
  condition = {
    metric             = tidemark_metric.lag.name
    aggregation        = "max"
    matchers           = [{ label = "metric.topic", operator = "regex", value = "^orders" }]
    group_by           = ["metric.topic", "metric.partition"]
    window_minutes     = 5
    operator           = "gt"
    threshold          = var.threshold
    recovery_threshold = 5.5
    for_minutes        = 2
  }
  labels      = { team = "orders" }
  annotations = { summary = "{{value}} behind" }
  runbook_url = "https://runbooks.example.org/lag"
}

resource "tidemark_alert_rule" "kinds" {
  for_each = {
    change   = { offset_minutes = 60, percent = true }
    absence  = {}
    ratio    = { denominator_metric = tidemark_metric.all.name, denominator_aggregation = "count" }
    quantile = { quantile = 0.99 }
    anomaly  = { days = 7 }
    forecast = { limit = 100.25, window_minutes = 30 }
  }
  environment_id = tidemark_environment.this.id
  name           = "Of kind ${each.key}"
  severity       = "info"
  enabled        = false
  condition = {
    kind                    = each.key
    metric                  = tidemark_metric.lag.name
    operator                = "gte"
    threshold               = 1
    window_minutes          = try(each.value.window_minutes, null)
    offset_minutes          = try(each.value.offset_minutes, null)
    percent                 = try(each.value.percent, null)
    denominator_metric      = try(each.value.denominator_metric, null)
    denominator_aggregation = try(each.value.denominator_aggregation, null)
    quantile                = try(each.value.quantile, null)
    days                    = try(each.value.days, null)
    limit                   = try(each.value.limit, null)
  }
}

resource "tidemark_notification_integration" "orders" {
  environment_id = tidemark_environment.this.id
  name           = "Orders"
  kind           = "webhook"
  url            = var.receiver
  severities     = ["critical", "warning"]
  labels         = { team = "orders" }
  send_test      = false
  rotation       = var.rotation
}

resource "tidemark_notification_integration" "on_call" {
  environment_id      = tidemark_environment.this.id
  name                = "On call"
  kind                = "pagerduty"
  url                 = "https://events.example.org/v2/enqueue"
  routing_key         = "routing-key-of-${var.key_version}"
  routing_key_version = var.key_version
  send_test           = false
}

data "tidemark_alert_rule" "lag" {
  environment_id = tidemark_environment.this.id
  name           = tidemark_alert_rule.lag.name
}

data "tidemark_alert_rules" "all" {
  environment_id = tidemark_environment.this.id
  depends_on     = [tidemark_alert_rule.lag, tidemark_alert_rule.kinds]
}

data "tidemark_notification_integration" "on_call" {
  environment_id = tidemark_environment.this.id
  name           = tidemark_notification_integration.on_call.name
}

data "tidemark_notification_integrations" "all" {
  environment_id = tidemark_environment.this.id
  depends_on     = [tidemark_notification_integration.orders, tidemark_notification_integration.on_call]
}

output "told" {
  value = join(" ", [
    data.tidemark_alert_rule.lag.severity,
    data.tidemark_alert_rule.lag.metric,
    length(data.tidemark_alert_rules.all.rules),
    data.tidemark_notification_integration.on_call.kind,
    length(data.tidemark_notification_integrations.all.integrations),
  ])
}

output "secret" {
  value     = tidemark_notification_integration.orders.secret
  sensitive = true
}
