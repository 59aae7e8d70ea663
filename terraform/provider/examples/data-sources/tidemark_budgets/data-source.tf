data "tidemark_budgets" "staging" {
  holder = "environment/staging"
}
