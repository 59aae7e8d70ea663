resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

resource "tidemark_metric" "requests" {
  environment_id          = tidemark_environment.production.id
  name                    = "http.server.requests"
  type                    = "counter"
  unit                    = "{request}"
  description             = "Requests by route and client."
  high_cardinality_labels = ["client_id"]
}
