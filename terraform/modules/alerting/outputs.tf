output "rules" {
  description = "Identifiers of the alert rules by name."
  value       = { for name, each in tidemark_alert_rule.this : name => each.id }
}

output "integrations" {
  description = "Identifiers of the integrations by name of the route."
  value       = { for name, each in tidemark_notification_integration.this : name => each.id }
}

output "secrets" {
  description = "What messages are signed with, by name of the route."
  value       = { for name, each in tidemark_notification_integration.this : name => each.secret }
  sensitive   = true
}

output "pack_rules" {
  description = "Identifiers of the rules of each pack, by their keys in the pack."
  value       = { for name, each in tidemark_alert_pack.this : name => each.rule_ids }
}
