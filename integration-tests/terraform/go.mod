module tidemark/integration-tests/terraform

go 1.26
