import { expect, test } from 'vitest'
import {
  idempotencyChecks,
  orderChecks,
  recoveryChecks,
  signatureChecks,
  trustChecks,
} from '../../../contracts/catalogue.ts'
import { dead, findingOf } from '../support/verdicts.ts'

const CHECKS = [idempotencyChecks, orderChecks, recoveryChecks, signatureChecks, trustChecks].flat()
/** A user's hook ends these with its own error. */
const HOOKS = ['process', 'reconcile'] as const
const HOOKLESS = CHECKS.filter(({ needs = [] }) => !HOOKS.some((hook) => needs.includes(hook)))

test.each(HOOKLESS)('$id is unreachable when the receiver is gone', async (check) => {
  const profile = { source: { kind: 'loopback' }, signed: check.id.startsWith('signature/') } as const

  expect(await findingOf(check, { receive: dead, profile })).toMatchObject({
    kind: 'inconclusive',
    cause: 'unreachable',
  })
})
