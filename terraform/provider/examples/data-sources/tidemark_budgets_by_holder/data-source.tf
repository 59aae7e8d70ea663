data "tidemark_budgets_by_holder" "all" {}

output "active_series" {
  value = { for each in data.tidemark_budgets_by_holder.all.holders : each.holder => each.active_series }
}
