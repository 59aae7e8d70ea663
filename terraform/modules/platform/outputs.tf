output "cluster" {
  description = "Name of the Kubernetes cluster: `aws eks update-kubeconfig --name` takes it."
  value       = aws_eks_cluster.this.name
}

output "database_secret" {
  description = "Secret of the database's master user, tidemark_admin. infra/postgres/managed-databases.sql is run once with it; no process uses it."
  value       = aws_db_instance.this.master_user_secret[*].secret_arn
}

output "nodes_scaler_role" {
  description = "Role for the service account cluster-autoscaler in kube-system, where one is installed."
  value       = aws_iam_role.nodes_scaler.arn
}

output "values" {
  description = "Values of the chart infra/helm/tidemark that follow from this account: write them to a file and hand it to helm."
  value = yamlencode({
    postgres = {
      host         = aws_db_instance.this.address
      port         = aws_db_instance.this.port
      sslMode      = "verify-full"
      ca           = { configMap = "rds-ca", key = "ca.crt" }
      controlPlane = { database = "tidemark", user = "tidemark_owner" }
      catalog      = { database = "iceberg", user = "tidemark_lake" }
      druid        = { database = "druid", user = "druid" }
    }
    storage = {
      type = "s3"
      s3   = { bucket = aws_s3_bucket.this.bucket, endpoint = "", region = data.aws_region.current.name, pathStyle = false, keysFromSecret = false }
    }
    serviceAccounts = {
      platformApi = { "eks.amazonaws.com/role-arn" = aws_iam_role.component["platform-api"].arn }
      flink       = { "eks.amazonaws.com/role-arn" = aws_iam_role.component["flink"].arn }
      druid       = { "eks.amazonaws.com/role-arn" = aws_iam_role.component["druid"].arn }
      provision   = { "eks.amazonaws.com/role-arn" = aws_iam_role.component["provision"].arn }
    }
  })
}
