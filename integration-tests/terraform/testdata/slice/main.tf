terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "name" { type = string }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = var.name
}

resource "tidemark_service_account" "sender" {
  display_name = "Sender of ${var.name}"
  role         = "developer"
}

resource "tidemark_api_key" "sender" {
  service_account_id = tidemark_service_account.sender.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:write", "metrics:read"]
}

resource "tidemark_retention_policy" "this" {
  environment_id = tidemark_environment.this.id
  raw_days       = 7
  rollup_1m_days = 30
  rollup_1h_days = 400
  metrics = [{
    pattern        = "debug.*"
    rollup_1m_days = 3
  }]
}

output "key" {
  value     = tidemark_api_key.sender.bearer_token
  sensitive = true
}

output "key_id" {
  value = tidemark_api_key.sender.id
}
