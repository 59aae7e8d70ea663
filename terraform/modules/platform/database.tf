# PostgreSQL for the control plane, the Iceberg catalog and Druid's metadata. The master's password is made, kept and replaced every seven days
# by the cloud; no state has it. Processes use none of it: infra/postgres/managed-databases.sql makes databases and their owners.

resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = [for subnet in aws_subnet.private : subnet.id]
  tags       = local.tags
}

resource "aws_security_group" "database" {
  name        = "${var.name}-database"
  description = "PostgreSQL, for the nodes of the cluster alone"
  vpc_id      = aws_vpc.this.id
  tags        = local.tags
}

resource "aws_vpc_security_group_ingress_rule" "database" {
  security_group_id            = aws_security_group.database.id
  referenced_security_group_id = aws_eks_cluster.this.vpc_config[0].cluster_security_group_id
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
  description                  = "Pods"
}

resource "aws_db_parameter_group" "this" {
  name   = var.name
  family = "postgres17"
  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }
  tags = local.tags
}

resource "aws_db_instance" "this" {
  identifier     = var.name
  engine         = "postgres"
  engine_version = "17"
  instance_class = var.database.class
  username       = "tidemark_admin"

  manage_master_user_password   = true
  master_user_secret_kms_key_id = aws_kms_key.this.arn

  allocated_storage     = var.database.storage_gb
  max_allocated_storage = var.database.most_gb
  storage_type          = "gp3"
  storage_encrypted     = true
  kms_key_id            = aws_kms_key.this.arn

  multi_az               = true
  publicly_accessible    = false
  db_subnet_group_name   = aws_db_subnet_group.this.name
  vpc_security_group_ids = [aws_security_group.database.id]
  parameter_group_name   = aws_db_parameter_group.this.name

  # Continuous backups: any moment of these days can be restored.
  backup_retention_period   = var.database.keep_days
  copy_tags_to_snapshot     = true
  deletion_protection       = var.protect
  skip_final_snapshot       = !var.protect
  final_snapshot_identifier = "${var.name}-final"

  performance_insights_enabled = true
  auto_minor_version_upgrade   = true
  tags                         = local.tags
}
