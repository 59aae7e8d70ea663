data "tidemark_service_accounts" "all" {}

data "tidemark_api_keys" "of_each" {
  for_each           = toset(data.tidemark_service_accounts.all.service_accounts[*].id)
  service_account_id = each.key
}

# Every key, by itself.
data "tidemark_api_key" "each" {
  for_each           = merge([for account, found in data.tidemark_api_keys.of_each : { for key in found.api_keys : key.id => account }]...)
  service_account_id = each.value
  id                 = each.key
}
