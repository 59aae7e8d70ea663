# What each service account may do with the bucket: its own folders, and no more.

resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
  tags           = local.tags
}

locals {
  issuer = replace(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://", "")
  # Folders that are read, and folders that are written as well.
  access = {
    platform-api = { read = ["warehouse"], write = [] }
    flink        = { read = [], write = ["flink", "warehouse"] }
    druid        = { read = [], write = ["druid"] }
    provision    = { read = [], write = ["warehouse"] }
  }
  # Which service account takes a role, and the policy that lets it and no other.
  accounts = merge(
    { for component, folders in local.access : component => "${var.namespace.namespace}:${var.namespace.release}-${component}" },
    { volumes = "kube-system:ebs-csi-controller-sa", nodes-scaler = "kube-system:cluster-autoscaler" },
  )
  trust = { for role, account in local.accounts : role => jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = aws_iam_openid_connect_provider.this.arn }
      Condition = { StringEquals = {
        "${local.issuer}:sub" = "system:serviceaccount:${account}"
        "${local.issuer}:aud" = "sts.amazonaws.com"
      } }
    }]
  }) }
}

resource "aws_iam_role" "component" {
  for_each           = local.access
  name               = "${var.name}-${each.key}"
  assume_role_policy = local.trust[each.key]
  tags               = local.tags
}

resource "aws_iam_role_policy" "component" {
  for_each = local.access
  name     = "bucket"
  role     = aws_iam_role.component[each.key].id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [{
        Effect    = "Allow"
        Action    = ["s3:ListBucket"]
        Resource  = [aws_s3_bucket.this.arn]
        Condition = { StringLike = { "s3:prefix" = [for folder in concat(each.value.read, each.value.write) : "${folder}/*"] } }
        }, {
        Effect   = "Allow"
        Action   = ["s3:GetObject"]
        Resource = [for folder in concat(each.value.read, each.value.write) : "${aws_s3_bucket.this.arn}/${folder}/*"]
        }, {
        Effect   = "Allow"
        Action   = length(each.value.write) > 0 ? ["kms:Decrypt", "kms:GenerateDataKey"] : ["kms:Decrypt"]
        Resource = [aws_kms_key.this.arn]
      }],
      length(each.value.write) == 0 ? [] : [{
        Effect   = "Allow"
        Action   = ["s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"]
        Resource = [for folder in each.value.write : "${aws_s3_bucket.this.arn}/${folder}/*"]
      }]
    )
  })
}

# The driver that makes volumes.
resource "aws_iam_role" "volumes" {
  name               = "${var.name}-volumes"
  assume_role_policy = local.trust["volumes"]
  tags               = local.tags
}

resource "aws_iam_role_policy_attachment" "volumes" {
  role       = aws_iam_role.volumes.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy"
}

# The cluster autoscaler, which is installed apart: it changes the number of nodes of this cluster's groups and of no other's. EKS gives the
# groups behind managed node groups both tags that it looks for.
resource "aws_iam_role" "nodes_scaler" {
  name               = "${var.name}-nodes-scaler"
  assume_role_policy = local.trust["nodes-scaler"]
  tags               = local.tags
}

resource "aws_iam_role_policy" "nodes_scaler" {
  name = "nodes"
  role = aws_iam_role.nodes_scaler.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect = "Allow"
      Action = [
        "autoscaling:DescribeAutoScalingGroups",
        "autoscaling:DescribeAutoScalingInstances",
        "autoscaling:DescribeLaunchConfigurations",
        "autoscaling:DescribeScalingActivities",
        "autoscaling:DescribeTags",
        "ec2:DescribeImages",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeLaunchTemplateVersions",
        "ec2:GetInstanceTypesFromInstanceRequirements",
        "eks:DescribeNodegroup",
      ]
      Resource = "*"
      }, {
      Effect    = "Allow"
      Action    = ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"]
      Resource  = "*"
      Condition = { StringEquals = { "aws:ResourceTag/k8s.io/cluster-autoscaler/${var.name}" = "owned" } }
    }]
  })
}
