data "tidemark_retention_policy" "staging" {
  environment_id = "staging"
}
