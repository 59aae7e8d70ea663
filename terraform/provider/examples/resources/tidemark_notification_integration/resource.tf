variable "routing_key" {
  type      = string
  sensitive = true
  ephemeral = true
  default   = "0123456789abcdef0123456789abcdef"
}

resource "tidemark_notification_integration" "on_call" {
  environment_id      = "staging"
  name                = "On call"
  kind                = "pagerduty"
  url                 = "https://events.pagerduty.com/v2/enqueue"
  routing_key         = var.routing_key
  routing_key_version = "2026-Q4"
  severities          = ["critical"]
}

# Signed as Standard Webhooks are; the receiver checks the signature with the secret.
resource "tidemark_notification_integration" "checkout" {
  environment_id = "staging"
  name           = "Checkout"
  kind           = "webhook"
  url            = "https://hooks.example.org/tidemark"
  labels         = { team = "checkout" }
  rotation       = "2026-Q4"
}

# Transitions of a rule and cluster that come within ten seconds are one message.
resource "tidemark_notification_integration" "team" {
  environment_id = "staging"
  name           = "Streaming team"
  kind           = "slack"
  url            = "https://hooks.slack.com/services/T000/B000/XXXX"
  group_messages = {
    by           = ["rule_id", "resource.cluster"]
    wait_seconds = 10
  }
}
