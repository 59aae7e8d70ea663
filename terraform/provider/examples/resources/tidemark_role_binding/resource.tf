data "tidemark_members" "all" {}

resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

# Every member may change this environment.
resource "tidemark_role_binding" "everybody" {
  for_each       = toset(data.tidemark_members.all.members[*].person_id)
  person_id      = each.key
  role           = "environment_admin"
  environment_id = tidemark_environment.production.id
}
