# A maintenance window: every Sunday from 02:00 to 04:00 in Berlin.
resource "tidemark_silence" "maintenance" {
  environment_id = "staging"
  comment        = "Brokers are restarted on Sundays."
  matchers = [
    { label = "labels.team", operator = "eq", value = "platform" },
    { label = "severity", operator = "ne", value = "critical" },
  ]
  starts_at = "2030-01-06T02:00:00+01:00"
  ends_at   = "2030-01-06T04:00:00+01:00"
  repeat = {
    every     = "week"
    time_zone = "Europe/Berlin"
  }
}
