output "form_of_a_key" {
  value = provider::tidemark::format_api_key("production", "ABCDEFGHIJKLMN27", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd")
}
