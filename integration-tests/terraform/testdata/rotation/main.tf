terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "rotation" { default = "first" }
variable "overlap" { default = "24h" }

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Rotation"
}

resource "tidemark_service_account" "this" {
  display_name = "Rotation"
  role         = "developer"
}

resource "tidemark_api_key" "this" {
  service_account_id = tidemark_service_account.this.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:write"]
  rotation           = var.rotation
  rotation_overlap   = var.overlap
}

output "key" {
  value     = tidemark_api_key.this.bearer_token
  sensitive = true
}
