data "tidemark_alert_pack" "kafka" {
  environment_id = "staging"
  id             = "kafka"
}

output "rules_of_kafka" {
  value = data.tidemark_alert_pack.kafka.rule_count
}
