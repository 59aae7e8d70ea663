data "tidemark_organization" "this" {}

output "permissions" {
  value = data.tidemark_organization.this.permissions
}
