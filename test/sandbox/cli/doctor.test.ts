import { X509Certificate } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createControlClient } from '../../../sandbox/client/control-client.ts'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import {
  clockFinding,
  faultFinding,
  jobFindings,
  sandboxFinding,
} from '../../../sandbox/cli/doctor-sandbox.ts'
import { benchFindings } from '../../../sandbox/cli/doctor-command.ts'
import { certificateFinding, localFindings } from '../../../sandbox/cli/doctor-local.ts'
import { registrationFindings } from '../../../sandbox/cli/doctor-registrations.ts'
import { findingsText } from '../../../sandbox/cli/finding.ts'
import { VERSION } from '../../../sandbox/engine/core/version.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import { selfSigned } from '../../support/certificates.ts'
import { crafted, fault, job, registration } from '../../support/control-records.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { report } from './all-commands.ts'

const MINE = { data: 'mine' }

const NOW = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T00:05:00.000Z'
const CLOCK = { mode: 'manual', speed: 0, now: NOW } as const
const HEALTH = {
  status: 'ready',
  ready: true,
  service_url: 'http://s.test',
  version: VERSION,
  now: NOW,
  clock: CLOCK,
} as const
const CHOSEN = { callbackList: 'current', environment: 'pre-live' } as const

test('the command "doctor" warns when the sandbox has another version', () => {
  expect(report(sandboxFinding(HEALTH, 'http://b.test', MINE))).toEqual([
    'fine: A sandbox runs: service http://s.test, bench http://b.test',
  ])
  expect(report(sandboxFinding({ ...HEALTH, version: '0.0.1' }, 'http://b.test', MINE))).toEqual([
    expect.stringMatching(/^warning: .* has version 0\.0\.1, not .* → stop the sandbox and start it again/),
  ])
})

test('the command "doctor" warns about a manual clock when work is due at a later time', () => {
  const waiting = [job({ next_due_at: LATER }), job({ next_due_at: NOW }), job()]

  expect(report(clockFinding(CLOCK, waiting, MINE))).toEqual([
    `warning: The clock is manual and shows ${NOW}: 1 attempt waits until you move the clock, and the first is due in 5 min → move the clock with "npx hookbench advance 5m --data mine"`,
  ])
  expect(clockFinding(CLOCK, [job()], MINE).level).toBe('fine')
  expect(clockFinding({ ...CLOCK, mode: 'real', speed: 1 }, waiting, MINE).level).toBe('fine')
})

test('the command "doctor" reports missing registrations', () => {
  expect(report(...registrationFindings([registration({ enabled: false })], CHOSEN, MINE))).toEqual([
    'problem: No notification is sent, because no registration is enabled → register with "npx hookbench register URL --type items --data mine"',
  ])
})

test('the command "doctor" warns about object types without an enabled webhook', () => {
  const disabled = registration({ id: 'r2', object_type: 'users', enabled: false })

  const findings = registrationFindings([registration(), disabled], CHOSEN, MINE)

  expect(findings.length).toBe(notifiedTypes.length + 1)
  expect(report(...findings).slice(0, 3)).toEqual([
    'fine: items: webhook enabled',
    'warning: users: its webhook is disabled → enable it with "npx hookbench enable r2 --data mine", or register with "npx hookbench register URL --type users --data mine"',
    'warning: batch_transactions: no webhook is registered → register with "npx hookbench register URL --type batch_transactions --data mine"',
  ])
})

test('the command "doctor" warns about types without a callback when any callback is registered', () => {
  const findings = registrationFindings(
    [registration(), registration({ generation: 'callbacks' }), registration({ object_type: 'users' })],
    CHOSEN,
    MINE,
  )

  expect(report(...findings).slice(0, 2)).toEqual([
    'fine: items: webhook and callback enabled',
    'warning: users: no callback is registered → register with "npx hookbench register URL --type users --generation callbacks --data mine"',
  ])
})

test.each([
  ['webhooks', 'callbacks', 'register URL --type items --generation callbacks --data mine'],
  ['callbacks', 'webhooks', 'register URL --type items --data mine'],
] as const)(
  'the command "doctor" advises a pre-live platform that uses only %s to register %s',
  (used, missing, command) => {
    const registrations = [
      registration({ generation: used }),
      registration({ id: 'r2', generation: missing, enabled: false }),
    ]

    const finding = registrationFindings(registrations, CHOSEN, MINE).at(-1)

    expect(finding).toEqual({
      about: 'registrations',
      level: 'warning',
      message: `Only ${used} are registered, but in pre-live each type must be registered in both generations`,
      remedy: `register ${missing} with "npx hookbench ${command}"`,
      source: { line: 11, section: '§1' },
    })
    expect(findingsText(finding ? [finding] : [])).toContain('both generations (§1, L11 of the document)\n')
  },
)

test('the command "doctor" does not advise a second generation in production, for webhook-only types or when both generations are registered', () => {
  const both = [registration(), registration({ id: 'r2', generation: 'callbacks' })]
  const virtual = [registration({ object_type: 'virtual_accounts' })]

  const findings = [
    ...registrationFindings(both, CHOSEN, MINE),
    ...registrationFindings([registration()], { ...CHOSEN, environment: 'production' }, MINE),
    ...registrationFindings(virtual, CHOSEN, MINE),
  ]

  expect(findings.filter(({ source }) => source !== undefined)).toEqual([])
  expect(findings.length).toBe(3 * notifiedTypes.length)
})

test('the command "doctor" reports failed jobs with and without a further retry separately', () => {
  const jobs = [job({ last: '503' }), job({ id: 'j2', next_due_at: LATER, last: 'reset' })]

  expect(report(...jobFindings({ jobs, older: 3, next_cursor: null }, MINE))).toEqual([
    'warning: at least 1 job has no more retries; the newest is for items i1, with the result 503 → see "npx hookbench job j1 --data mine", and resend the job with "npx hookbench resend j1 --data mine"',
    'warning: at least 1 job has failed so far and will be retried; the last result of the newest is reset → see why with "npx hookbench job j2 --data mine"',
  ])
  expect(report(...jobFindings({ jobs: [], older: 0, next_cursor: null }, MINE))).toEqual([
    'fine: No job has failed',
  ])
})

test('the command "doctor" reports an active fault', () => {
  expect(faultFinding({ faults: [] }, MINE).level).toBe('fine')
  expect(report(faultFinding({ faults: [fault(), fault({ on: 'api', kind: 'hang' })] }, MINE))).toEqual([
    expect.stringMatching(
      /^warning: 2 faults are active: delivery duplicate, api hang → .*faults clear --data mine"$/,
    ),
  ])
})

test('the command "doctor" requires a data folder that only its owner can read', () => {
  const { path } = openDataFolder(join(temporaryFolder(), 'mine'))
  const before = localFindings(path, 0)
  chmodSync(path, 0o755)
  const after = localFindings(path, 0)

  expect(before[1]).toMatchObject({ level: 'fine' })
  expect(after[1]).toMatchObject({ level: 'problem', remedy: expect.stringContaining('chmod go-rwx') })
  expect(after[2]).toMatchObject({ level: 'warning', message: 'No local CA exists yet' })
})

test('the command "doctor" reports an invalid data folder', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'a-file'), '')
  const levels = ['.', 'a-file', 'nothing'].map((name) => localFindings(join(root, name), 0)[1]?.level)

  expect(levels).toEqual(['problem', 'problem', 'warning'])
})

test('the command "doctor" requires a readable CA that is valid for long enough', async () => {
  const { cert } = await selfSigned()
  const end = Date.parse(new X509Certificate(cert).validTo)
  const levelAt = (now: number) => certificateFinding(cert, 'ca', now).level

  expect([levelAt(end - 40 * 86_400_000), levelAt(end - 86_400_000), levelAt(end + 1)]).toEqual([
    'fine',
    'warning',
    'problem',
  ])
  expect(certificateFinding('nope', 'ca', 0)).toMatchObject({ level: 'problem' })
})

/** A control API that answers the given paths and rejects all other paths. */
function bench(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const through = (async (url: string, { body }: { body?: string }) => {
    const { pathname } = new globalThis.URL(url)
    if (body !== undefined) asked.push(body)
    const answer = answers[pathname.replace('/control', '')]
    const error = { code: 'not_found', message: 'Cannot find it; there is none', hint: 'look elsewhere' }
    return answer === undefined ? Response.json({ error }, { status: 404 }) : Response.json(answer)
  }) as unknown as typeof fetch
  return { asked, client: createControlClient({ url: 'http://b.test', token: '' }, { through }) }
}

const ANSWERS = {
  '/health': HEALTH,
  '/clock': CLOCK,
  '/jobs': { jobs: [], older: 0, next_cursor: null },
  '/faults': { faults: [] },
  '/readings': {
    readings: [
      { id: 'test-text', value: 'Hello' },
      { id: 'callback-list', value: 'current' },
    ],
  },
  '/registrations': {
    registrations: [
      registration(),
      registration({ generation: 'callbacks' }),
      registration({ enabled: false, url: 'x' }),
    ],
  },
  '/deliveries': crafted(),
}

test('the command "doctor" sends the test POST once to each enabled URL', async () => {
  const { asked, client } = bench(ANSWERS)

  const findings = await benchFindings(client, 'http://b.test', MINE)

  expect(asked).toEqual(['{"registration":"r1","body":{"message":"Hello"},"signed":true}'])
  expect(new Set(findings.map(({ about }) => about))).toEqual(
    new Set(['sandbox', 'registrations', 'receiver', 'clock', 'jobs', 'faults']),
  )
})

test('the command "doctor" reports a rejected control API call and continues', async () => {
  const { client } = bench({ ...ANSWERS, '/faults': undefined })

  const findings = await benchFindings(client, 'http://b.test', MINE)

  expect(findings.at(-1)).toEqual({
    about: 'faults',
    level: 'problem',
    message: 'faults: Cannot find it; there is none',
    remedy: 'look elsewhere',
  })
})

test('the command "doctor" reports a wrong token once with the fix', async () => {
  const through = (async (url: string) =>
    url.endsWith('/health')
      ? Response.json(HEALTH)
      : Response.json(
          { error: { code: 'unauthorized', message: 'The token is not the token of this sandbox' } },
          { status: 401 },
        )) as unknown as typeof fetch

  const findings = await benchFindings(
    createControlClient({ url: 'http://b.test', token: 'x' }, { through }),
    '',
    MINE,
  )

  expect(findings.map(({ about }) => about)).toEqual(['sandbox', 'token'])
  expect(findings[1]?.remedy).toContain('HOOKBENCH_TOKEN')
})
