data "tidemark_spending_budgets" "all" {}

output "has_a_budget" {
  value = length(data.tidemark_spending_budgets.all.spending_budgets) > 0
}
