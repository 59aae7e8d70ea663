# Applied for real: the name of the team is given with -var, because identifiers are never free again.

run "makes_a_team_productive" {
  variables {
    people              = ["one@example.org", "two@example.org"]
    deletion_protection = false
    packs               = ["jvm"]
    routes              = { team = { kind = "webhook", url = "https://hooks.example.org/team", send_test = false } }
    routing_keys        = {}
  }

  assert {
    condition     = length(output.environments) == 2 && length(nonsensitive(output.collector_keys)) == 2
    error_message = "There are two environments and a key for each."
  }
  assert {
    condition     = alltrue([for key in values(nonsensitive(output.collector_keys)) : startswith(key, "tdm_${var.team}-")])
    error_message = "Keys are of the team's environments."
  }
  assert {
    condition     = alltrue([for each in tidemark_budgets.this : each.active_series == 50000])
    error_message = "Each environment has a budget."
  }
  assert {
    condition     = length(output.dashboards) == 1 && alltrue([for each in values(output.integrations) : length(each) == 1])
    error_message = "There is a dashboard to begin with, and a route in each environment."
  }
}

run "changes_nothing_the_second_time" {
  command = plan
  variables {
    people              = ["one@example.org", "two@example.org"]
    deletion_protection = false
    packs               = ["jvm"]
    routes              = { team = { kind = "webhook", url = "https://hooks.example.org/team", send_test = false } }
    routing_keys        = {}
  }

  assert {
    # Identifiers of what is planned anew are unknown, which fails a condition.
    condition     = alltrue([for ids in values(output.integrations) : alltrue([for id in values(ids) : id != ""])])
    error_message = "The environments are the ones that were made."
  }
}

run "refuses_another_profile" {
  command = plan
  variables {
    stages = { production = "forever" }
  }
  expect_failures = [var.stages]
}
