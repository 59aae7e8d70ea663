# Plans and policies, with a provider that makes nothing up in a cloud: `make test-modules`.

mock_provider "aws" {
  mock_data "aws_region" {
    defaults = { name = "eu-west-1" }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "123456789012" }
  }
  mock_data "aws_ebs_encryption_by_default" {
    defaults = { enabled = true }
  }
  mock_resource "aws_db_instance" {
    defaults = { address = "tidemark.abc.eu-west-1.rds.amazonaws.com", port = 5432, db_name = "of no name" }
  }
  mock_resource "aws_eks_cluster" {
    defaults = {
      arn        = "arn:aws:eks:eu-west-1:123456789012:cluster/tidemark"
      identity   = [{ oidc = [{ issuer = "https://oidc.example/id/1" }] }]
      vpc_config = { cluster_security_group_id = "sg-cluster" }
    }
  }
  mock_resource "aws_s3_bucket" {
    defaults = { arn = "arn:aws:s3:::tidemark-123456789012-eu-west-1" }
  }
  mock_resource "aws_kms_key" {
    defaults = { arn = "arn:aws:kms:eu-west-1:123456789012:key/1" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::123456789012:role/one" }
  }
  mock_resource "aws_iam_openid_connect_provider" {
    defaults = { arn = "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/1" }
  }
  mock_resource "aws_launch_template" {
    defaults = { id = "lt-0123456789abcdef0", latest_version = 1 }
  }
}

variables {
  zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
}

run "everything_is_private_and_encrypted" {
  assert {
    condition     = !aws_db_instance.this.publicly_accessible && aws_db_instance.this.storage_encrypted && aws_db_instance.this.multi_az && aws_db_instance.this.deletion_protection
    error_message = "The database is public, plain, alone or can be deleted."
  }
  assert {
    condition     = aws_db_instance.this.manage_master_user_password && aws_db_instance.this.password == null
    error_message = "The state holds the database's password."
  }
  assert {
    condition     = aws_db_instance.this.db_name == "of no name" && !strcontains(file("../../../infra/postgres/managed-databases.sql"), "CREATE ROLE ${aws_db_instance.this.username} ")
    error_message = "The cloud makes a database that the master owns, or the master is a role of the product."
  }
  assert {
    condition     = anytrue([for one in aws_db_parameter_group.this.parameter : one.name == "rds.force_ssl" && one.value == "1"])
    error_message = "The database takes connections without TLS."
  }
  assert {
    condition     = aws_vpc_security_group_ingress_rule.database.cidr_ipv4 == null && aws_vpc_security_group_ingress_rule.database.referenced_security_group_id == "sg-cluster"
    error_message = "The database answers more than the cluster's nodes."
  }
  assert {
    condition     = alltrue([aws_s3_bucket_public_access_block.this.block_public_acls, aws_s3_bucket_public_access_block.this.block_public_policy, aws_s3_bucket_public_access_block.this.ignore_public_acls, aws_s3_bucket_public_access_block.this.restrict_public_buckets])
    error_message = "The bucket can be made public."
  }
  assert {
    condition     = one(aws_s3_bucket_server_side_encryption_configuration.this.rule).apply_server_side_encryption_by_default[0].sse_algorithm == "aws:kms" && !aws_s3_bucket.this.force_destroy
    error_message = "The bucket is not encrypted by the platform's key, or goes with what is in it."
  }
  assert {
    condition     = anytrue([for one in jsondecode(aws_s3_bucket_policy.this.policy).Statement : one.Effect == "Deny" && one.Condition.Bool["aws:SecureTransport"] == "false"])
    error_message = "The bucket takes requests without TLS."
  }
  assert {
    condition     = !aws_eks_cluster.this.vpc_config[0].endpoint_public_access && aws_eks_cluster.this.vpc_config[0].endpoint_private_access && contains(aws_eks_cluster.this.encryption_config[0].resources, "secrets")
    error_message = "The cluster's API is public, or its secrets are plain."
  }
  assert {
    condition     = alltrue([for one in aws_launch_template.nodes : one.metadata_options[0].http_tokens == "required" && one.metadata_options[0].http_put_response_hop_limit == 1 && one.block_device_mappings[0].ebs[0].encrypted == "true"])
    error_message = "Pods can take the node's role, or a node's disk is plain."
  }
  assert {
    condition     = jsondecode(aws_eks_addon.this["vpc-cni"].configuration_values).enableNetworkPolicy == "true"
    error_message = "Nobody keeps the chart's NetworkPolicies."
  }
}

run "what_the_chart_asks_of_a_cluster_is_there" {
  assert {
    condition     = jsondecode(aws_eks_addon.this["aws-ebs-csi-driver"].configuration_values).defaultStorageClass.enabled
    error_message = "Volumes of the chart name no class, and the cluster has no default one."
  }
  assert {
    condition     = contains(keys(aws_eks_addon.this), "metrics-server")
    error_message = "The chart's HorizontalPodAutoscalers have no figures."
  }
  assert {
    condition = alltrue([
      for statement in jsondecode(aws_iam_role_policy.nodes_scaler.policy).Statement :
      statement.Resource != "*" || can(statement.Condition.StringEquals["aws:ResourceTag/k8s.io/cluster-autoscaler/tidemark"]) ||
      alltrue([for action in statement.Action : can(regex(":(Describe|Get)", action))])
    ])
    error_message = "Whoever scales the nodes changes groups of other clusters."
  }
  assert {
    condition     = jsondecode(aws_iam_role.nodes_scaler.assume_role_policy).Statement[0].Condition.StringEquals["oidc.example/id/1:sub"] == "system:serviceaccount:kube-system:cluster-autoscaler" && output.nodes_scaler_role == aws_iam_role.nodes_scaler.arn
    error_message = "Another service account than the autoscaler's can take its role, or nobody learns of it."
  }
}

run "volumes_that_would_be_plain_are_refused" {
  command = plan
  override_data {
    target = data.aws_ebs_encryption_by_default.current
    values = { enabled = false }
  }
  expect_failures = [aws_eks_addon.this["aws-ebs-csi-driver"]]
}

run "components_have_their_own_folders_alone" {
  assert {
    condition = alltrue([for name, role in aws_iam_role_policy.component : alltrue([
      for statement in jsondecode(role.policy).Statement : !contains(flatten([statement.Action]), "*") && !contains(flatten([statement.Resource]), "*")
    ])])
    error_message = "A component may do everything, or something to everything."
  }
  assert {
    condition = alltrue([
      for statement in jsondecode(aws_iam_role_policy.component["platform-api"].policy).Statement :
      length(setintersection(statement.Action, ["s3:PutObject", "s3:DeleteObject"])) == 0
    ])
    error_message = "platform-api, which reads the lake, may write to it."
  }
  assert {
    condition = alltrue([
      for statement in jsondecode(aws_iam_role_policy.component["druid"].policy).Statement :
      alltrue([for resource in statement.Resource : strcontains(resource, "/druid/") || statement.Action[0] == "s3:ListBucket" || startswith(resource, "arn:aws:kms")])
    ])
    error_message = "Druid reaches folders that are not its own."
  }
  assert {
    condition     = jsondecode(aws_iam_role.component["flink"].assume_role_policy).Statement[0].Condition.StringEquals["oidc.example/id/1:sub"] == "system:serviceaccount:tidemark:tidemark-flink"
    error_message = "Another service account than the chart's can take the role of Flink."
  }
}

run "zones_have_a_network_each" {
  variables {
    nodes = {
      platform = { machine = "m5.xlarge", least = 1, most = 2 }
      brokers  = { machine = "m5.xlarge", least = 1, most = 2, taint = "kafka" }
    }
  }
  assert {
    condition     = length(aws_subnet.private) == 3 && length(aws_nat_gateway.out) == 3 && length(distinct([for one in concat(values(aws_subnet.private), values(aws_subnet.public)) : one.cidr_block])) == 6
    error_message = "Zones share a network or a way out."
  }
  assert {
    condition     = toset(aws_eks_node_group.this["brokers"].taint[*].value) == toset(["kafka"]) && length(aws_eks_node_group.this["platform"].taint) == 0
    error_message = "Groups of nodes are not kept apart as the variable says."
  }
}

run "the_chart_is_told_where_things_are" {
  assert {
    condition     = yamldecode(output.values).storage.s3.region == "eu-west-1" && yamldecode(output.values).storage.type == "s3" && length(yamldecode(output.values).serviceAccounts) == 4
    error_message = "The values for the chart are not whole."
  }
  assert {
    condition = alltrue([
      for use in ["controlPlane", "catalog", "druid"] :
      yamldecode(output.values).postgres[use].user != aws_db_instance.this.username && strcontains(
        file("../../../infra/postgres/managed-databases.sql"),
        "\nCREATE DATABASE ${yamldecode(output.values).postgres[use].database} OWNER ${yamldecode(output.values).postgres[use].user};\n"
      )
    ])
    error_message = "The chart is given the master, or an owner that managed-databases.sql does not make."
  }
  assert {
    condition     = yamldecode(output.values).postgres.sslMode == "verify-full" && yamldecode(output.values).postgres.ca.configMap != "" && yamldecode(output.values).postgres.ca.key != ""
    error_message = "Certificates of the database cannot be checked: nothing names their authorities."
  }
}

run "the_open_internet_is_refused" {
  command = plan
  variables { public_access = ["0.0.0.0/0"] }
  expect_failures = [var.public_access]
}

run "one_zone_is_refused" {
  command = plan
  variables { zones = ["eu-west-1a"] }
  expect_failures = [var.zones]
}

run "a_name_that_no_bucket_can_have_is_refused" {
  command = plan
  variables { name = "Tidemark_1" }
  expect_failures = [var.name]
}

run "backups_that_end_before_topics_do_are_refused" {
  command = plan
  variables { database = { keep_days = 3 } }
  expect_failures = [var.database]
}
