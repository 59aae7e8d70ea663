data "tidemark_invitations" "all" {}
