data "tidemark_silences" "staging" {
  environment_id = "staging"
}
