data "tidemark_retention_policies" "all" {}

output "days_of_minutes" {
  value = { for each in data.tidemark_retention_policies.all.retention_policies : each.environment_id => each.rollup_1m_days }
}
