resource "tidemark_metric" "requests" {
  environment_id = "staging"
  name           = "checkout.requests"
}

resource "tidemark_metric" "errors" {
  environment_id = "staging"
  name           = "checkout.errors"
}

# More than one of a hundred requests fails, for five minutes.
resource "tidemark_alert_rule" "errors" {
  environment_id = "staging"
  name           = "Checkout fails"
  severity       = "critical"
  condition = {
    kind               = "ratio"
    metric             = tidemark_metric.errors.name
    denominator_metric = tidemark_metric.requests.name
    group_by           = ["resource.service.name"]
    window_minutes     = 5
    for_minutes        = 5
    operator           = "gt"
    threshold          = 0.01
    recovery_threshold = 0.005
  }
  labels      = { team = "checkout" }
  annotations = { summary = "{{labels.resource.service.name}} fails for {{value}} of requests" }
  runbook_url = "https://runbooks.example.org/checkout"
}
