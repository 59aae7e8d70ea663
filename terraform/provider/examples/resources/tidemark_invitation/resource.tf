resource "tidemark_invitation" "new_colleague" {
  mail   = "new.colleague@example.org"
  grants = [{ role = "developer" }]
}
