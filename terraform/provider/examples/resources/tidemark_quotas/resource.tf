resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

resource "tidemark_quotas" "production" {
  holder            = "environment/${tidemark_environment.production.id}"
  points_per_second = 20000
}
