data "tidemark_quotas" "organization" {
  holder = "organization"
}
