data "tidemark_role_bindings" "all" {}

# Every one, by itself.
data "tidemark_role_binding" "each" {
  for_each       = { for i, each in data.tidemark_role_bindings.all.role_bindings : i => each }
  person_id      = each.value.person_id
  role           = each.value.role
  environment_id = each.value.environment_id
}
