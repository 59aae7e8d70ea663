resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}
