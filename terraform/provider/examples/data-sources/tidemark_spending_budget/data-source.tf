data "tidemark_spending_budget" "this" {}

output "spent" {
  value = "${data.tidemark_spending_budget.this.spent} ${data.tidemark_spending_budget.this.currency} of ${coalesce(data.tidemark_spending_budget.this.amount, "no budget")}"
}
