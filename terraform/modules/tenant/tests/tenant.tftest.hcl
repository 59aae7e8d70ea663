# Applied for real.

run "setup" {
  module {
    source = "./tests/setup"
  }
}

run "makes_environments_people_and_keys" {
  variables {
    environments = {
      (run.setup.id) = { display_name = "Tenant test" }
    }
    people = {
      "${run.setup.id}@example.org" = { environments = { (run.setup.id) = "developer" } }
    }
    machines = {
      (run.setup.id) = { keys = { (run.setup.id) = ["metrics:write"] } }
    }
  }

  assert {
    condition     = one(values(tidemark_environment.this)).deletion_protection
    error_message = "An environment is protected unless something else is said."
  }
  assert {
    condition     = length(tidemark_api_key.this) == 1 && length(tidemark_invitation.this) == 1
    error_message = "There is a key and an invitation."
  }
  assert {
    condition     = startswith(nonsensitive(one(values(output.keys))), "tdm_${one(keys(tidemark_environment.this))}_")
    error_message = "The key is of the environment."
  }
  assert {
    condition     = one(values(output.service_accounts)) == one(values(tidemark_service_account.this)).id
    error_message = "The machine has a service account."
  }
}

run "changes_nothing_the_second_time" {
  command = plan
  variables {
    environments = {
      (run.setup.id) = { display_name = "Tenant test" }
    }
    people = {
      "${run.setup.id}@example.org" = { environments = { (run.setup.id) = "developer" } }
    }
    machines = {
      (run.setup.id) = { keys = { (run.setup.id) = ["metrics:write"] } }
    }
  }

  assert {
    # The identifier of what is planned anew is unknown, which fails a condition.
    condition     = one(values(output.service_accounts)) != ""
    error_message = "The service account is the one that was made."
  }
}

run "refuses_an_identifier_of_another_form" {
  command = plan
  variables {
    environments = { "Tenant_Test" = { display_name = "x" } }
  }
  expect_failures = [var.environments]
}

run "refuses_a_person_without_a_role" {
  command = plan
  variables {
    environments = { "x" = { display_name = "x" } }
    people       = { "nobody@example.org" = {} }
  }
  expect_failures = [var.people]
}

run "refuses_a_machine_without_a_permission" {
  command = plan
  variables {
    environments = { "x" = { display_name = "x" } }
    machines     = { "collector" = { keys = { "x" = [] } } }
  }
  expect_failures = [var.machines]
}
