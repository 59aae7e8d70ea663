resource "tidemark_alert_pack" "this" {
  for_each       = var.packs
  environment_id = var.environment
  pack           = each.key
}

resource "tidemark_alert_rule" "this" {
  for_each       = var.rules
  environment_id = var.environment
  name           = each.key
  description    = each.value.description
  enabled        = each.value.enabled
  severity       = each.value.severity
  condition      = each.value.condition
  labels         = merge(var.labels, each.value.labels)
  annotations    = each.value.annotations
  runbook_url    = each.value.runbook_url
  require_metric = each.value.require_metric
}

resource "tidemark_notification_integration" "this" {
  for_each            = var.routes
  environment_id      = var.environment
  name                = each.key
  kind                = each.value.kind
  url                 = each.value.url
  severities          = each.value.severities
  labels              = each.value.labels
  rotation            = each.value.rotation
  routing_key         = lookup(var.routing_keys, each.key, null)
  routing_key_version = each.value.routing_key_version
  send_test           = each.value.send_test
  group_messages      = each.value.group_messages
}
