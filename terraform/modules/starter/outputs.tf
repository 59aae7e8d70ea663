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
