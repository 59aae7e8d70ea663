terraform import tidemark_budgets.production 'environment/production'
