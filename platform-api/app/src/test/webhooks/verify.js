// Verifies a delivery from standard input by the reference library; exits 1 when it is none of the secret's.
import { readFileSync } from "node:fs";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const delivery = JSON.parse(readFileSync(0, "utf8"));
try {
  new Webhook(delivery.secret).verify(delivery.body, delivery.headers);
  console.log("verified");
} catch (refused) {
  if (!(refused instanceof WebhookVerificationError)) throw refused;
  console.error(`refused: ${refused.message}`);
  process.exit(1);
}
