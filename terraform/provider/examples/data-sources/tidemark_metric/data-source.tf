data "tidemark_metric" "requests" {
  environment_id = "staging"
  name           = "http.server.requests"
}
