# Applied for real, in an environment that there is: its identifier is given with -var.

run "makes_rules_and_routes" {
  variables {
    packs  = ["jvm"]
    labels = { team = "orders" }
    rules = {
      "Orders lag" = {
        severity       = "critical"
        labels         = { tier = "one" }
        require_metric = false
        condition      = { metric = "kafka.consumer.lag", aggregation = "max", group_by = ["metric.topic"], operator = "gt", threshold = 1000, for_minutes = 5 }
      }
      "Nothing comes" = {
        severity       = "warning"
        require_metric = false
        condition      = { metric = "kafka.messages", kind = "absence", operator = "gte", threshold = 10 }
      }
    }
    routes = {
      "on-call" = { kind = "pagerduty", url = "https://events.example.org/v2/enqueue", severities = ["critical"], send_test = false }
      "orders"  = { kind = "webhook", url = "https://hooks.example.org/orders", labels = { team = "orders" }, send_test = false, group_messages = { by = ["rule_id", "severity"], wait_seconds = 10 } }
    }
    routing_keys = { "on-call" = "0123456789abcdef" }
  }

  assert {
    condition     = length(output.rules) == 2 && length(output.integrations) == 2
    error_message = "There are two rules and two routes."
  }
  assert {
    condition     = length(output.pack_rules["jvm"]) > 0
    error_message = "The rules of the pack are there."
  }
  assert {
    condition     = tidemark_alert_rule.this["Orders lag"].labels == tomap({ team = "orders", tier = "one" })
    error_message = "A rule has the labels of all and its own."
  }
  assert {
    condition     = tidemark_notification_integration.this["orders"].group_messages.wait_seconds == 10
    error_message = "Messages are grouped as the route says."
  }
  assert {
    condition     = startswith(nonsensitive(output.secrets["orders"]), "whsec_")
    error_message = "The secret of a webhook is known."
  }
}

run "changes_nothing_the_second_time" {
  command = plan
  variables {
    labels = { team = "orders" }
    rules = {
      "Orders lag" = {
        severity       = "critical"
        labels         = { tier = "one" }
        require_metric = false
        condition      = { metric = "kafka.consumer.lag", aggregation = "max", group_by = ["metric.topic"], operator = "gt", threshold = 1000, for_minutes = 5 }
      }
    }
  }

  assert {
    # The identifier of what is planned anew is unknown, which fails a condition.
    condition     = output.rules["Orders lag"] != ""
    error_message = "The rule is the one that was made."
  }
}

run "refuses_a_pack_of_another_form" {
  command = plan
  variables {
    packs = ["Not a pack"]
  }
  expect_failures = [var.packs]
}

run "refuses_another_severity" {
  command = plan
  variables {
    rules = { x = { severity = "fatal", condition = { metric = "m", operator = "gt", threshold = 1 } } }
  }
  expect_failures = [var.rules]
}

run "refuses_another_kind_of_route" {
  command = plan
  variables {
    routes = { x = { kind = "mail", url = "https://x.example.org" } }
  }
  expect_failures = [var.routes]
}
