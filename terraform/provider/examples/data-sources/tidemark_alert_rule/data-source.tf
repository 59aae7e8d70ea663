data "tidemark_alert_rule" "lag" {
  environment_id = "staging"
  name           = "Consumer lag"
}
