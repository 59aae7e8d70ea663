data "tidemark_dashboards" "all" {}

# The JSON of each, as the console imports it.
data "tidemark_dashboard" "each" {
  for_each = toset(data.tidemark_dashboards.all.dashboards[*].id)
  id       = each.key
}
