import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALL_BACKS, type CallBack, type ExploredCase, isMiss } from '../../contracts/explored-case.ts'
import { freePorts } from '../support/free-ports.ts'
import { readPageCode } from '../support/pages.ts'
import { CHECK, CONFIG, runLine, withPage, type ReceiverPage } from '../support/receiver-page.ts'
import { IS_WHOLE, RUNS_FAMILY } from '../support/receiver-family.ts'

const DEBIAN = 'apt-get install'

const PYTHON = ['python3 --version', `${DEBIAN} python3`] as const

const PAGES: readonly ReceiverPage[] = [
  { name: 'express.md' },
  { name: 'fastify.md' },
  { name: 'hono.md' },
  { name: 'next.md', packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'] },
  { name: 'flask.md', needs: [PYTHON, ['python3 -c "import flask"', `${DEBIAN} python3-flask`]] },
  { name: 'python.md', needs: [PYTHON] },
  {
    name: 'rack.md',
    needs: [
      ['puma --version', `${DEBIAN} ruby puma`],
      ['ruby -e "require %(rack); require %(sqlite3)"', `${DEBIAN} ruby-rack ruby-sqlite3`],
    ],
  },
  {
    name: 'php.md',
    needs: [
      ['php -r "exit(extension_loaded(\'pdo_sqlite\') ? 0 : 1);"', `${DEBIAN} php-cli php-sqlite3`],
      ['caddy version', `${DEBIAN} caddy`],
    ],
  },
]

const IN_SHORT = new Set(['express.md', 'fastify.md', 'hono.md'])

/** One page for each language. The pages of one language differ only in their framework. */
const OF_LANGUAGES = new Set(['express.md', 'python.md', 'rack.md', 'php.md'])

/** The checks to run for every framework, because frameworks differ in how they read bodies and respond. */
const OF_FRAMEWORKS = ['registration', 'transport', 'http', 'body']

/** Returns true if all checks run on the page's receiver. `HOOKBENCH_RECEIVERS=whole` runs all checks on every page. */
const runsAllChecks = ({ name }: ReceiverPage) => IS_WHOLE || (RUNS_FAMILY && OF_LANGUAGES.has(name))

const TIMEOUT = { timeout: 1_800_000 }

const TAKES_MINUTES = 'it takes minutes: npm run test:receivers'

/** Returns the reason to skip the page, if there is one. */
function whyLeftOut({ name, needs = [] }: ReceiverPage): string | undefined {
  if (!IN_SHORT.has(name) && !RUNS_FAMILY) return TAKES_MINUTES
  const missing = needs.filter(([command]) => spawnSync(command, { shell: true }).status !== 0)
  if (missing.length === 0) return undefined
  const reason = `the receiver of the page ${name} takes programs that are missing (${missing.map(([, remedy]) => remedy).join('; ')})`
  if (process.env['CI']) throw new Error(`Cannot run this test: ${reason}`)
  return reason
}

test.concurrent.for(PAGES)(
  'the receiver on the page $name passes every observable check',
  TIMEOUT,
  async (page, { skip }) => {
    const reason = whyLeftOut(page)
    skip(reason !== undefined, reason)
    const runsAll = runsAllChecks(page)
    const outcomes = await checkReceiverPage(page, runsAll ? {} : { checks: OF_FRAMEWORKS })

    const isFine = ({ verdict }: (typeof outcomes)[number]) => !['failed', 'inconclusive'].includes(verdict)
    expect(outcomes.filter((outcome) => !isFine(outcome))).toEqual([])
    const isSeen = ({ verdict }: (typeof outcomes)[number]) => ['passed', 'partly_observed'].includes(verdict)
    const unseen = outcomes.filter((outcome) => !isSeen(outcome)).map(({ id }) => id)
    expect(unseen.toSorted()).toEqual(runsAll ? UNSEEN : [])
  },
)

/** The checks that do not pass here because of documented limits: callbacks, sending addresses and reconciliation. */
const UNSEEN = [
  'idempotency/both-generations',
  'recovery/missed-notifications',
  'signature/unsigned-callbacks',
  'trust/forwarded-source',
  'trust/unlisted-source',
]

test.concurrent.for(PAGES)(
  'the receiver on the page $name acts twice when its unique key is removed',
  TIMEOUT,
  async (page, { skip }) => {
    const reason =
      page.name === 'express.md' ? undefined : (whyLeftOut(page) ?? (RUNS_FAMILY ? undefined : TAKES_MINUTES))
    skip(reason !== undefined, reason)
    const checks = ['idempotency/same-delivery-again']
    const withoutKey = (code: string) =>
      code.replace('releases (type TEXT, id TEXT, PRIMARY KEY (type, id))', 'releases (type TEXT, id TEXT)')
    const outcomes = await checkReceiverPage(page, { checks, edit: withoutKey })

    expect(outcomes).toMatchObject([
      { id: checks[0], verdict: 'failed', actual: expect.stringMatching(/^([2-9]|\d\d+) effects/) },
    ])
  },
)

test.concurrent.for(PAGES)(
  'the receiver on the page $name accepts manually played payments',
  TIMEOUT,
  async (page, { skip }) => {
    const reason = whyLeftOut(page) ?? (RUNS_FAMILY ? undefined : TAKES_MINUTES)
    skip(reason !== undefined, reason)
    const printed = await playReceiverPage(page)

    expect(printed).toMatch(/items \S+ +completed +✓ 204/)
    expect(printed).toMatch(/transactions \S+ +successful +✓ 204/)
  },
)

const KINDS = Object.keys(CALL_BACKS) as CallBack[]

/**
 * One payment for each kind of failed call from the receiver to the service. After a 404, the receiver gets another notification.
 * For the last payment, the final notification arrives while the receiver's call for the first notification is in flight.
 */
const FAILING_CALL_BACKS: ExploredCase = {
  people: [{}],
  payments: [
    ...KINDS.map((_, index) => ({
      kind: 'direct-credit-payin' as const,
      outcome: 'successful',
      amount: 10_000 + index,
      person: 0,
    })),
    { kind: 'direct-credit-payout', outcome: 'successful' },
  ],
  deliveries: [
    ...KINDS.map((callBack, of) => ({ of, part: 0, callBack, ...(of > 0 && { together: true as const }) })),
    ...KINDS.filter(isMiss).map((kind) => ({ of: KINDS.indexOf(kind), part: 0 })),
    { of: KINDS.length, part: 0, callBack: 'stale' },
    { of: KINDS.length, part: 1, callBack: 'not-found' },
    { of: KINDS.length, part: 2, callBack: 'unavailable-for-a-while' },
  ],
}

test.concurrent.for(PAGES)(
  'the receiver of the page $name acts once when calls to the service fail',
  TIMEOUT,
  async (page, { skip }) => {
    const reason = whyLeftOut(page) ?? (RUNS_FAMILY ? undefined : TAKES_MINUTES)
    skip(reason !== undefined, reason)

    expect(await rehearseReceiverPage(page, FAILING_CALL_BACKS)).toContain('✓ oracle/any-world')
  },
)

interface CheckOutcome {
  readonly id: string
  readonly verdict: string
  readonly actual: string | null
}

interface Wishes {
  /** Check ids or topics. Defaults to all checks. */
  readonly checks?: readonly string[]
  readonly edit?: (code: string) => string
}

const checkReceiverPage = (page: ReceiverPage, { checks = [], edit }: Wishes = {}) =>
  withPage(
    page,
    async ({ folder }): Promise<readonly CheckOutcome[]> => {
      await runLine(
        `${CHECK} --port 0 --report-json report.json ${checks.join(' ')} || test $? -lt 2`,
        folder,
      )
      return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).checks
    },
    edit,
  )

const rehearseReceiverPage = (page: ReceiverPage, plan: ExploredCase) =>
  withPage(page, ({ folder }) => {
    writeFileSync(join(folder, 'case.json'), JSON.stringify(plan))
    return runLine(`npx hookbench rehearse --config ${CONFIG} --port 0 --case "$(cat case.json)"`, folder)
  })

/** Plays a payment with the commands of docs/receivers/how-they-work.md. Returns the output. */
const playReceiverPage = (page: ReceiverPage) =>
  withPage(page, async ({ folder, start, stop, place }) => {
    const [port, benchPort] = await freePorts(2)
    const shared = readPageCode(new URL('../../docs/receivers/how-they-work.md', import.meta.url))
    const script = shared.find(({ words }) => words.includes('by-hand'))?.text ?? ''
    const placed = place(script)
      .replace('hookbench ready', '$& --timeout 5m')
      .replace('hookbench settle', '$& --timeout 5m')
      .replace('--clock manual', `$& --port ${port} --bench-port ${benchPort}`)
      .replaceAll('4010', String(port))
    writeFileSync(join(folder, 'start.sh'), start)
    const end = `trap 'npx hookbench down; ${stop}; wait' EXIT`
    writeFileSync(join(folder, 'by-hand.sh'), `set -e\n${end}\n${placed}`)
    return runLine('bash by-hand.sh', folder)
  })
