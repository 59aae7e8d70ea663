data "tidemark_members" "all" {}

data "tidemark_member" "first" {
  mail = data.tidemark_members.all.members[0].mail
}
