-- Whether whoever made the account came by a link that was sent to its mail address. A link that was shown to whoever invites
-- proves nothing of the address. Accounts of before keep what was said of them.
ALTER TABLE identity.account ADD COLUMN mail_verified boolean NOT NULL DEFAULT true;
ALTER TABLE identity.account ALTER COLUMN mail_verified DROP DEFAULT;

-- When the present link was taken over by a mail server; null when it was shown.
ALTER TABLE invitation ADD COLUMN mailed_at timestamptz;
GRANT UPDATE (mailed_at) ON invitation TO tidemark_application;
