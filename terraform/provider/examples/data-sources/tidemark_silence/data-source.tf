data "tidemark_silences" "staging" {
  environment_id = "staging"
}

data "tidemark_silence" "active" {
  for_each       = toset([for each in data.tidemark_silences.staging.silences : each.id if each.state == "active"])
  environment_id = "staging"
  id             = each.key
}
