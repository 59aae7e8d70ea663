variables {
  environments = {
    "tenant-test" = { display_name = "Tenant test" }
  }
  people = {
    "tenant@example.org" = { environments = { "tenant-test" = "developer" } }
  }
  machines = {
    collector = { keys = { "tenant-test" = ["metrics:write"] } }
  }
}

run "plans_everything" {
  command = plan

  assert {
    condition     = tidemark_environment.this["tenant-test"].deletion_protection
    error_message = "An environment is protected unless something else is said."
  }
  assert {
    condition     = length(tidemark_api_key.this) == 1 && length(tidemark_invitation.this) == 1
    error_message = "There is a key and an invitation."
  }
}

run "refuses_an_identifier_of_another_form" {
  command = plan
  variables {
    environments = { "Tenant_Test" = { display_name = "x" } }
    people       = {}
    machines     = {}
  }
  expect_failures = [var.environments]
}

run "refuses_a_person_without_a_role" {
  command = plan
  variables {
    people = { "nobody@example.org" = {} }
  }
  expect_failures = [var.people]
}
