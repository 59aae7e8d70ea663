data "tidemark_metrics" "staging" {
  environment_id = "staging"
}
