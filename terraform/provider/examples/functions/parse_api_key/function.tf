variable "key" {
  type      = string
  sensitive = true
  default   = "tdm_production_AAAAAAAAAAAAAAAA_0123456789012345678901234567890123456789abcdef"
}

output "id" {
  value     = provider::tidemark::parse_api_key(var.key).id
  sensitive = true
}
