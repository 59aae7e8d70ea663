resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

resource "tidemark_budgets" "production" {
  holder               = "environment/${tidemark_environment.production.id}"
  active_series        = 50000
  when_series_exceeded = "refuse"
}
