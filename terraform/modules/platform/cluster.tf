# A Kubernetes cluster whose nodes are in the private part only.

resource "aws_kms_key" "this" {
  description         = "${var.name}: secrets of the cluster, volumes, the bucket and the database"
  enable_key_rotation = true
  tags                = local.tags
}

resource "aws_iam_role" "cluster" {
  name = "${var.name}-cluster"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["sts:AssumeRole", "sts:TagSession"], Principal = { Service = "eks.amazonaws.com" } }]
  })
  tags = local.tags
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
}

resource "aws_eks_cluster" "this" {
  name     = var.name
  version  = var.kubernetes_version
  role_arn = aws_iam_role.cluster.arn

  enabled_cluster_log_types = ["api", "audit", "authenticator"]

  vpc_config {
    subnet_ids              = [for subnet in aws_subnet.private : subnet.id]
    endpoint_private_access = true
    endpoint_public_access  = length(var.public_access) > 0
    public_access_cidrs     = length(var.public_access) > 0 ? var.public_access : null
  }

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = true
  }

  encryption_config {
    resources = ["secrets"]
    provider { key_arn = aws_kms_key.this.arn }
  }

  tags       = local.tags
  depends_on = [aws_iam_role_policy_attachment.cluster]
}

resource "aws_iam_role" "nodes" {
  name = "${var.name}-nodes"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
  tags = local.tags
}

resource "aws_iam_role_policy_attachment" "nodes" {
  for_each   = toset(["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly"])
  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/${each.key}"
}

resource "aws_launch_template" "nodes" {
  for_each = var.nodes
  name     = "${var.name}-${each.key}"

  # Pods take roles by their service account; the node's own is out of their reach.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      volume_size = each.value.disk_gb
      volume_type = "gp3"
      encrypted   = true
    }
  }

  tags = local.tags
}

resource "aws_eks_node_group" "this" {
  for_each        = var.nodes
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = each.key
  node_role_arn   = aws_iam_role.nodes.arn
  subnet_ids      = [for subnet in aws_subnet.private : subnet.id]
  instance_types  = [each.value.machine]
  labels          = { "tidemark.io/nodes" = each.key }

  launch_template {
    id      = aws_launch_template.nodes[each.key].id
    version = aws_launch_template.nodes[each.key].latest_version
  }

  scaling_config {
    min_size     = each.value.least
    desired_size = each.value.least
    max_size     = each.value.most
  }

  update_config { max_unavailable = 1 }

  dynamic "taint" {
    for_each = each.value.taint == null ? [] : [each.value.taint]
    content {
      key    = "tidemark.io/only"
      value  = taint.value
      effect = "NO_SCHEDULE"
    }
  }

  lifecycle { ignore_changes = [scaling_config[0].desired_size] }

  tags       = local.tags
  depends_on = [aws_iam_role_policy_attachment.nodes]
}

# Volumes are encrypted by the account's setting: the class that the driver makes says nothing of encryption.
data "aws_ebs_encryption_by_default" "current" {}

# Off unless they are asked for: the network's own agent, which keeps the chart's NetworkPolicies, and a default StorageClass (gp3), which the
# chart's volumes take; EKS makes none since 1.30. metrics-server has the figures of the chart's HorizontalPodAutoscalers.
resource "aws_eks_addon" "this" {
  for_each = {
    vpc-cni            = jsonencode({ enableNetworkPolicy = "true" })
    kube-proxy         = null
    coredns            = null
    aws-ebs-csi-driver = jsonencode({ defaultStorageClass = { enabled = true } })
    metrics-server     = null
  }
  cluster_name             = aws_eks_cluster.this.name
  addon_name               = each.key
  configuration_values     = each.value
  service_account_role_arn = each.key == "aws-ebs-csi-driver" ? aws_iam_role.volumes.arn : null
  tags                     = local.tags
  depends_on               = [aws_eks_node_group.this]

  lifecycle {
    precondition {
      condition     = each.key != "aws-ebs-csi-driver" || data.aws_ebs_encryption_by_default.current.enabled
      error_message = "Volumes would be plain: turn encryption of new volumes on in this region (aws ec2 enable-ebs-encryption-by-default)."
    }
  }
}
