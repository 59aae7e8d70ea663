data "tidemark_notification_integration" "on_call" {
  environment_id = "staging"
  name           = "On call"
}
