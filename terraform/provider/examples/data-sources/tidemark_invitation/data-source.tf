data "tidemark_invitations" "all" {}

data "tidemark_invitation" "open" {
  for_each = toset([for each in data.tidemark_invitations.all.invitations : each.id if each.state == "open"])
  id       = each.key
}
