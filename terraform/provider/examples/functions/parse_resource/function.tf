output "name" {
  value = provider::tidemark::parse_resource("production/kafka/lkc-orders").name
}
