terraform {
  required_providers {
    tidemark = { source = "tidemark/tidemark" }
  }
}

variable "title" { type = string }
variable "agg" { default = "RATE" }

resource "tidemark_dashboard" "orders" {
  title       = var.title
  description = "Orders"
  variables = [
    { name = "topic", label = "metric.topic", default = ["orders"], multi = true },
    { name = "client", label = "metric.client" },
  ]
  panels = [
    { type = "time_series", metric = "kafka.message.count", agg = var.agg, by = ["metric.topic", "metric.partition"], width = 2 },
    { type = "stat", title = "Lag", metric = "kafka.consumer.lag", agg = "MAX", where = [
      { label = "metric.topic", op = "EQ", value = "$topic" }, { label = "metric.topic", op = "NE", value = "" },
    ] },
    { type = "text", text = "Two\nlines" },
  ]
}

# What the console exports.
resource "tidemark_dashboard" "copy" {
  title         = "${var.title} (copy)"
  resource_type = "kafka"
  variables     = jsondecode(data.tidemark_dashboard.orders.definition).variables
  panels        = jsondecode(data.tidemark_dashboard.orders.definition).panels
}

data "tidemark_dashboard" "orders" { id = tidemark_dashboard.orders.id }

data "tidemark_dashboards" "all" { depends_on = [tidemark_dashboard.orders] }

output "told" {
  value = join(" ", [
    data.tidemark_dashboard.orders.panel_count,
    data.tidemark_dashboard.orders.title == var.title,
    contains(data.tidemark_dashboards.all.dashboards[*].id, tidemark_dashboard.orders.id),
    length(tidemark_dashboard.copy.panels),
  ])
}
