data "tidemark_environments" "all" {}

output "active" {
  value = [for each in data.tidemark_environments.all.environments : each.id if each.state == "active"]
}
