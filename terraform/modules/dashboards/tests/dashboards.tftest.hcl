# Applied for real.

variables {
  prefix = "Module: "
  definitions = {
    orders = <<-JSON
      {"version":1,"title":"Orders","variables":[{"name":"topic","label":"metric.topic","default":["orders"]}],"panels":[
        {"type":"time_series","metric":"kafka.message.count","agg":"RATE","by":["metric.topic"],"width":2},
        {"type":"stat","metric":"kafka.consumer.lag","agg":"MAX","where":[{"label":"metric.topic","op":"EQ","value":"$topic"}]},
        {"type":"text","text":"Owned by the team of orders."}]}
    JSON
    empty  = "{\"version\":1,\"title\":\"Empty\",\"description\":\"Nothing yet\",\"panels\":[]}"
  }
}

run "makes_dashboards_of_json" {
  assert {
    condition     = tidemark_dashboard.this["orders"].title == "Module: Orders" && length(tidemark_dashboard.this["orders"].panels) == 3
    error_message = "The dashboard has its panels."
  }
  assert {
    condition     = tidemark_dashboard.this["orders"].panels[1].where[0].value == "$topic" && tidemark_dashboard.this["orders"].variables[0].default[0] == "orders"
    error_message = "A panel has its conditions, and the dashboard its variables."
  }
}

run "changes_nothing_the_second_time" {
  command = plan

  assert {
    # Identifiers of what is planned anew are unknown, which fails a condition.
    condition     = length(output.dashboards) == 2 && alltrue([for id in values(output.dashboards) : id != ""])
    error_message = "The dashboards are the ones that were made."
  }
}

run "refuses_what_is_no_dashboard" {
  command = plan
  variables {
    definitions = { broken = "{\"title\":" }
  }
  expect_failures = [var.definitions]
}
