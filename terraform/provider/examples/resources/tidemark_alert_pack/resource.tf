resource "tidemark_alert_pack" "kafka" {
  environment_id = "staging"
  pack           = "kafka"
}
