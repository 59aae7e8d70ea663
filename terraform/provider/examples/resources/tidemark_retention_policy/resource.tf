resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

resource "tidemark_retention_policy" "production" {
  environment_id = tidemark_environment.production.id
  raw_days       = 7
  rollup_1m_days = 30
  rollup_1h_days = 400

  metrics = [{
    pattern        = "debug.*"
    rollup_1m_days = 3
  }]
}
