ephemeral "tidemark_api_key_secret" "collector" {}

resource "tidemark_service_account" "collector" {
  display_name = "Collector"
  role         = "developer"
}

resource "tidemark_api_key" "collector" {
  service_account_id = tidemark_service_account.collector.id
  environment_id     = "staging"
  scopes             = ["metrics:write"]
  secret_wo          = ephemeral.tidemark_api_key_secret.collector.secret
  rotation           = "2026-Q4"
}

# A write-only attribute of a store of secrets takes the whole key in the same apply:
#   secret_string_wo = provider::tidemark::format_api_key("staging", tidemark_api_key.collector.id,
#     ephemeral.tidemark_api_key_secret.collector.secret)
