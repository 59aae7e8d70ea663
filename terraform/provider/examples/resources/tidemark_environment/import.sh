terraform import tidemark_environment.production 'production'
