# A network with a private part for everything that runs, and a public one for load balancers and the way out.

locals {
  tags  = merge(var.tags, { "tidemark.io/platform" = var.name })
  zones = { for index, zone in var.zones : zone => index }
}

resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_hostnames = true
  tags                 = merge(local.tags, { Name = var.name })
}

# Nobody who forgets to name a security group gets one that is open.
resource "aws_default_security_group" "closed" {
  vpc_id = aws_vpc.this.id
  tags   = local.tags
}

resource "aws_subnet" "private" {
  for_each          = local.zones
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.cidr, 4, each.value)
  tags              = merge(local.tags, { Name = "${var.name}-private-${each.key}", "kubernetes.io/role/internal-elb" = "1" })
}

resource "aws_subnet" "public" {
  for_each          = local.zones
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.cidr, 8, 240 + each.value)
  tags              = merge(local.tags, { Name = "${var.name}-public-${each.key}", "kubernetes.io/role/elb" = "1" })
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = local.tags
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.this.id
  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.this.id
  }
  tags = local.tags
}

resource "aws_route_table_association" "public" {
  for_each       = local.zones
  subnet_id      = aws_subnet.public[each.key].id
  route_table_id = aws_route_table.public.id
}

# One way out per zone: a zone that is away takes no other with it.
resource "aws_eip" "out" {
  for_each = local.zones
  domain   = "vpc"
  tags     = local.tags
}

resource "aws_nat_gateway" "out" {
  for_each      = local.zones
  allocation_id = aws_eip.out[each.key].id
  subnet_id     = aws_subnet.public[each.key].id
  tags          = local.tags
}

resource "aws_route_table" "private" {
  for_each = local.zones
  vpc_id   = aws_vpc.this.id
  route {
    cidr_block     = "0.0.0.0/0"
    nat_gateway_id = aws_nat_gateway.out[each.key].id
  }
  tags = local.tags
}

resource "aws_route_table_association" "private" {
  for_each       = local.zones
  subnet_id      = aws_subnet.private[each.key].id
  route_table_id = aws_route_table.private[each.key].id
}

# Segments, checkpoints and the lake go to object storage without passing, and paying, the gateways.
data "aws_region" "current" {}

resource "aws_vpc_endpoint" "storage" {
  vpc_id            = aws_vpc.this.id
  service_name      = "com.amazonaws.${data.aws_region.current.name}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [for table in aws_route_table.private : table.id]
  tags              = local.tags
}
