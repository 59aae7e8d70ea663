terraform {
  required_version = ">= 1.11"
}

# An identifier that was never used: those of environments are never free again.
resource "terraform_data" "id" {
  input = "tenant-${substr(sha256(timestamp()), 0, 12)}"

  lifecycle {
    ignore_changes = [input]
  }
}

output "id" {
  description = "The identifier."
  value       = terraform_data.id.output
}
