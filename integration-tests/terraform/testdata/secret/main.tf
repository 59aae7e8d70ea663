terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "environment" { type = string }
variable "rotation" { default = "first" }
variable "secret" {
  type      = string
  ephemeral = true
}

resource "tidemark_environment" "this" {
  id           = var.environment
  display_name = "Secret"
}

resource "tidemark_service_account" "this" {
  display_name = "Secret"
  role         = "developer"
}

resource "tidemark_api_key" "given" {
  service_account_id = tidemark_service_account.this.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:read"]
  secret_wo          = var.secret
  rotation           = var.rotation
}

ephemeral "tidemark_api_key_secret" "drawn" {}

resource "tidemark_service_account" "other" {
  display_name = "Secret that is drawn"
  role         = "developer"
}

resource "tidemark_api_key" "drawn" {
  service_account_id = tidemark_service_account.other.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:read"]
  secret_wo          = ephemeral.tidemark_api_key_secret.drawn.secret
}

output "id" { value = tidemark_api_key.given.id }

# The same characters as in the test, for the form of the key alone: no secret goes into an output.
output "form" { value = provider::tidemark::format_api_key(var.environment, tidemark_api_key.given.id, join("", [for i in range(40) : "x"])) }
