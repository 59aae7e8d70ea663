"""Verifies a delivery from standard input by the reference library; exits 1 when it is none of the secret's."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

delivery = json.load(sys.stdin)
try:
    Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])
except WebhookVerificationError as refused:
    sys.exit(f"refused: {refused}")
print("verified")
