data "tidemark_notification_integrations" "staging" {
  environment_id = "staging"
}

output "integrations_that_stopped" {
  value = {
    for integration in data.tidemark_notification_integrations.staging.integrations :
    integration.name => integration.disabled_reason if integration.disabled_reason != null
  }
}
