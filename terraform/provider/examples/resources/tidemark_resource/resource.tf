resource "tidemark_environment" "production" {
  id           = "production"
  display_name = "Production"
}

resource "tidemark_resource" "orders" {
  environment_id = tidemark_environment.production.id
  type           = "kafka"
  name           = "lkc-orders"
  display_name   = "Order cluster"
}
