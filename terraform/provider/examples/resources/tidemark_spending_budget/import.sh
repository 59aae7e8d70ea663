# By the organisation.
terraform import tidemark_spending_budget.this org-01J8ZC3W9V
