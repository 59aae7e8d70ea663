terraform {
  required_version = ">= 1.11"
  required_providers {
    tidemark = {
      source = "tidemark/tidemark"
    }
  }
}

# An environment that was never used: identifiers are never free again.
resource "terraform_data" "id" {
  input = "retention-${substr(sha256(timestamp()), 0, 12)}"

  lifecycle {
    ignore_changes = [input]
  }
}

resource "tidemark_environment" "this" {
  id           = terraform_data.id.output
  display_name = "Retention test"
}

output "id" {
  description = "The environment."
  value       = tidemark_environment.this.id
}
