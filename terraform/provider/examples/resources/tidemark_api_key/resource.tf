resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

resource "tidemark_service_account" "collector" {
  display_name = "Collector"
  role         = "developer"
}

# Change rotation, and a new key is made; the one before stays live for two days.
resource "tidemark_api_key" "collector" {
  service_account_id = tidemark_service_account.collector.id
  environment_id     = tidemark_environment.production.id
  scopes             = ["metrics:write"]
  rotation           = "2026-Q4"
  rotation_overlap   = "48h"
}
