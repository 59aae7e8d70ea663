data "tidemark_environment" "staging" {
  id = "staging"
}
