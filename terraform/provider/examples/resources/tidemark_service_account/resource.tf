resource "tidemark_service_account" "collector" {
  display_name = "Collector"
  role         = "developer"
}
