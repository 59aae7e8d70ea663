data "tidemark_resource" "orders" {
  environment_id = "staging"
  type           = "kafka"
  name           = "lkc-orders"
}
