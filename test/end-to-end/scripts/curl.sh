#!/usr/bin/env bash
# Plays, breaks, advances, inspects and resends: with curl. RECEIVER is the receiver's address, SERVICE that of the service
# API, HOOKBENCH_URL and HOOKBENCH_TOKEN are those of the bench.
set -euo pipefail

call() { curl -sS --fail-with-body -H 'content-type: application/json' "$@"; }
bench() { call -H "authorization: Bearer $HOOKBENCH_TOKEN" "$@"; }
control="$HOOKBENCH_URL/control"

token=$(call "$SERVICE/tokens" \
  -d '{"grant_type": "client_credentials", "client_id": "sandbox", "client_secret": "sandbox-secret", "scope": "any"}' |
  grep -o '"access_token":"[^"]*"' | cut -d'"' -f4)
call "$SERVICE/webhooks" -H "authorization: Bearer $token" \
  -d "{\"url\": \"$RECEIVER/batch_transactions/5f0c\", \"object_type\": \"batch_transactions\"}"
bench "$control/objects/items" -d '{"amount": 1200, "name": "Landscape photograph"}'
bench "$control/faults" -d '{"on": "delivery", "kind": "duplicate",
  "match": {"object_type": "batch_transactions", "state": "batched"}, "times": 1}'
bench "$control/faults" -d '{"on": "delivery", "kind": "lost-answer",
  "match": {"state": "failed_direct_debit"}, "times": 2}'

bench "$control/payments" \
  -d '{"kind": "direct-debit-payin", "outcome": "failed_direct_debit", "amount": 1200}'
bench "$control/clock/advance" -d '{"by": "5m"}'
bench "$control/faults" -X DELETE

id_of() { grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4; }
failed=$(bench "$control/jobs?status=failed" | id_of)
bench "$control/jobs/$failed"
bench "$control/jobs/$failed/resend" -X POST

bench "$control/deliveries" \
  -d "{\"url\": \"$RECEIVER/batch_transactions/5f0c\", \"body\": {\"batch_transactions\": {\"id\": \"forged\"}}}"
bench "$control/requests?operation=createWebhook"
bench "$control/settle" -d '{"timeout_ms": 10000}'
