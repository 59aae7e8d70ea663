output "environments" {
  description = "Identifiers of the environments."
  value       = [for each in tidemark_environment.this : each.id]
}

output "keys" {
  description = "Whole keys by machine and environment, as in \"collector/production\"."
  value       = { for name, each in tidemark_api_key.this : name => each.bearer_token }
  sensitive   = true
}

output "invitation_links" {
  description = "Links by mail address, where no mail server brings them."
  value       = { for mail, each in tidemark_invitation.this : mail => each.link }
  sensitive   = true
}

output "service_accounts" {
  description = "Identifiers of the service accounts by machine."
  value       = { for name, each in tidemark_service_account.this : name => each.id }
}
