output "dashboards" {
  description = "Identifiers of the dashboards by your names."
  value       = { for name, each in tidemark_dashboard.this : name => each.id }
}
