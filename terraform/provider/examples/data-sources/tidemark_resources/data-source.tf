data "tidemark_resources" "staging" {
  environment_id = "staging"
}
