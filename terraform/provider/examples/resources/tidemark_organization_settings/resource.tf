resource "tidemark_organization_settings" "this" {
  display_name = "Example Ltd"
}
