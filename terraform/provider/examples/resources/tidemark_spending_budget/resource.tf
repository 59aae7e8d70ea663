data "tidemark_notification_integration" "on_call" {
  environment_id = "staging"
  name           = "On call"
}

resource "tidemark_spending_budget" "this" {
  amount          = "250.00"
  thresholds      = [80, 100]
  integration_ids = [data.tidemark_notification_integration.on_call.id]
}
