data "tidemark_quotas_by_holder" "all" {}

output "points_per_second" {
  value = { for each in data.tidemark_quotas_by_holder.all.holders : each.holder => each.points_per_second }
}
