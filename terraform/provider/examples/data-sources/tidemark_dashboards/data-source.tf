data "tidemark_dashboards" "all" {}
