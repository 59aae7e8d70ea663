resource "tidemark_dashboard" "orders" {
  title         = "Orders"
  description   = "What the order service sends and how far its consumers are behind."
  resource_type = "kafka"
  variables     = [{ name = "topic", label = "metric.topic", multi = true }]
  panels = [
    {
      type   = "time_series"
      title  = "Messages by topic"
      metric = "kafka.message.count"
      agg    = "RATE"
      by     = ["metric.topic"]
      width  = 2
    },
    {
      type   = "stat"
      metric = "kafka.consumer.lag"
      agg    = "MAX"
      where  = [{ label = "metric.topic", op = "EQ", value = "$topic" }]
    },
    {
      type = "text"
      text = "Owned by the team of orders."
    },
  ]
}
