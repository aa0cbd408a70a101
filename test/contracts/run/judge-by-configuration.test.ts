import { expect, test } from 'vitest'
import type { Need } from '../../../contracts/check.ts'
import { configContext } from '../../../contracts/config/config-context.ts'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { judgeByConfiguration } from '../../../contracts/run/run-check.ts'
import type { RunOptions } from '../../../contracts/toolkit/options.ts'
import { buildCheck } from '../support/run-results.ts'

const url = 'https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e80513f9c1d2ab47e8051'
const context = configContext({ name: 'the test', folder: '.' })
const optionsOf = (more: object = {}): RunOptions => createRunOptions({ receiver: { url }, ...more }, context)
const needing = (need: Need) => buildCheck('order/any-sequence', { needs: [need] })

test.each<readonly [Need, object]>([
  ['calls', { receiver: { url, callsBack: true } }],
  ['effects', { effects: { http: 'http://127.0.0.1:1/{object_type}/{id}' } }],
  ['process', { process: { stop: 'true', start: 'true' } }],
  ['reconcile', { reconcile: { command: 'true' } }],
  ['source-addresses', { sourceAddresses: 'loopback' }],
  ['signature', { signatureSecret: 'only-this-receiver-and-the-service-know-it' }],
])('a check that needs %s runs only if the configuration provides the setting', (need, configured) => {
  expect(judgeByConfiguration(needing(need), optionsOf())).toMatchObject({
    verdict: 'not-observable',
    finding: { kind: 'not-observable' },
    missing: [need],
  })
  expect(judgeByConfiguration(needing(need), optionsOf(configured))).toBeUndefined()
})

test('a callback check is skipped when no callback URL exists', () => {
  const callbacks = {
    receiver: { url: { webhooks: url, callbacks: url.replace('notifications', 'callbacks') } },
  }

  expect(judgeByConfiguration(needing('callbacks'), optionsOf())).toMatchObject({ verdict: 'skipped' })
  expect(judgeByConfiguration(needing('callbacks'), optionsOf(callbacks))).toBeUndefined()
})

test('a signature check is skipped when no webhook secret is configured', () => {
  const unsigned = optionsOf({ readings: { signature: 'off' } })

  expect(judgeByConfiguration(needing('signature'), unsigned)).toMatchObject({ verdict: 'skipped' })
})
