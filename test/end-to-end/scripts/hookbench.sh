#!/usr/bin/env bash
# Plays, breaks, advances, inspects and resends: with the commands of hookbench. RECEIVER is the receiver's address.
set -euo pipefail

hookbench register "$RECEIVER/batch_transactions/5f0c" --type batch_transactions
hookbench create items amount=1200 name='Landscape photograph'
hookbench faults add delivery duplicate --match object_type=batch_transactions state=batched --times 1
hookbench faults add delivery lost-answer --match state=failed_direct_debit --times 2

hookbench play direct-debit-payin --outcome failed_direct_debit --amount 1200
hookbench advance 5m
hookbench faults clear

id_of() { grep -o '"id": "[^"]*"' | head -1 | cut -d'"' -f4; }
failed=$(hookbench jobs --status failed --json | id_of)
hookbench job "$failed"
hookbench resend "$failed"

hookbench deliver "$RECEIVER/batch_transactions/5f0c" --body '{"batch_transactions": {"id": "forged"}}'
hookbench requests --operation createWebhook
hookbench settle --timeout 10s
