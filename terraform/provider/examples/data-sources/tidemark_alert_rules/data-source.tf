data "tidemark_alert_rules" "staging" {
  environment_id = "staging"
}

output "rules_that_fire" {
  value = [for rule in data.tidemark_alert_rules.staging.rules : rule.name if rule.state == "firing"]
}
