output "environments" {
  description = "Identifiers of the environments by stage."
  value       = local.environments
}

output "collector_keys" {
  description = "Whole keys of the collector by environment."
  value       = { for name, key in module.tenant.keys : split("/", name)[1] => key }
  sensitive   = true
}

output "invitation_links" {
  description = "Links by mail address, where no mail server brings them."
  value       = module.tenant.invitation_links
  sensitive   = true
}

output "dashboards" {
  description = "Identifiers of the dashboards by your names; start is where to begin."
  value       = module.dashboards.dashboards
}

output "integrations" {
  description = "Identifiers of the integrations by environment and name of the route."
  value       = { for stage, each in module.alerting : local.environments[stage] => each.integrations }
}
