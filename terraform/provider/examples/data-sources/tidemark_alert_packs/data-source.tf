data "tidemark_alert_packs" "staging" {
  environment_id = "staging"
}
