data "tidemark_service_accounts" "all" {}

data "tidemark_api_keys" "first" {
  service_account_id = data.tidemark_service_accounts.all.service_accounts[0].id
}

output "never_used" {
  value = [for each in data.tidemark_api_keys.first.api_keys : each.id if each.last_used_at == null]
}
