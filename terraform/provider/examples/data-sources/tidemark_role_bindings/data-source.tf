data "tidemark_role_bindings" "staging" {
  environment_id = "staging"
}

output "who_may_do_what_in_staging" {
  value = { for each in data.tidemark_role_bindings.staging.role_bindings : each.person_id => each.role... }
}
