output "days" {
  description = "Days that each level is kept."
  value       = local.days
}
