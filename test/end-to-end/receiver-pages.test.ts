import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { CALL_BACKS, isMiss, type CallBack, type ExploredCase } from '../../contracts/explored-case.ts'
import { IS_WHOLE } from '../support/receiver-family.ts'
import {
  checkReceiverPage,
  playReceiverPage,
  rehearseReceiverPage,
  type ReceiverPage,
} from '../support/receiver-page.ts'

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

/** What npm installs here anyway is run in short, too. */
const IN_SHORT = new Set(['express.md', 'fastify.md', 'hono.md'])
/** What a framework has a part in: how a body is read, and what is answered. All of them: npm run test:receivers. */
const OF_FRAMEWORKS = ['registration', 'transport', 'http', 'body']

const TAKES_MINUTES = 'it takes minutes: npm run test:receivers'

/** Why the page is not run here and now; undefined if it is. */
function whyLeftOut({ name, needs = [] }: ReceiverPage): string | undefined {
  if (!IN_SHORT.has(name) && !IS_WHOLE) return TAKES_MINUTES
  const missing = needs.filter(([command]) => spawnSync(command, { shell: true }).status !== 0)
  if (missing.length === 0) return undefined
  const reason = `the receiver of the page ${name} takes programs that are missing (${missing.map(([, remedy]) => remedy).join('; ')})`
  if (process.env['CI']) throw new Error(`Cannot run this test: ${reason}`)
  return reason
}

test.concurrent.for(PAGES)(
  'the receiver of the page $name passes what can be seen of it',
  { timeout: 1_800_000 },
  async (page, { skip }) => {
    const reason = whyLeftOut(page)
    skip(reason !== undefined, reason)
    const outcomes = await checkReceiverPage(page, IS_WHOLE ? {} : { checks: OF_FRAMEWORKS })

    const isFine = ({ verdict }: (typeof outcomes)[number]) => !['failed', 'inconclusive'].includes(verdict)
    expect(outcomes.filter((outcome) => !isFine(outcome))).toEqual([])
    const isSeen = ({ verdict }: (typeof outcomes)[number]) => ['passed', 'partly_observed'].includes(verdict)
    const unseen = outcomes.filter((outcome) => !isSeen(outcome)).map(({ id }) => id)
    expect(unseen.toSorted()).toEqual(IS_WHOLE ? UNSEEN : [])
  },
)

/** What the pages say that their receivers do not do: callbacks, sending addresses, and looking for what was missed. */
const UNSEEN = [
  'idempotency/both-generations',
  'recovery/missed-notifications',
  'signature/unsigned-callbacks',
  'trust/forwarded-source',
  'trust/unlisted-source',
]

test.concurrent.for(PAGES)(
  'the receiver of the page $name acts twice without the key of its releases',
  { timeout: 1_800_000 },
  async (page, { skip }) => {
    const reason =
      page.name === 'express.md' ? undefined : (whyLeftOut(page) ?? (IS_WHOLE ? undefined : TAKES_MINUTES))
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
  'the receiver of the page $name takes what is played by hand',
  { timeout: 1_800_000 },
  async (page, { skip }) => {
    const reason = whyLeftOut(page) ?? (IS_WHOLE ? undefined : TAKES_MINUTES)
    skip(reason !== undefined, reason)
    const printed = await playReceiverPage(page)

    expect(printed).toMatch(/items \S+ +completed +✓ 204/)
    expect(printed).toMatch(/transactions \S+ +successful +✓ 204/)
  },
)

const KINDS = Object.keys(CALL_BACKS) as CallBack[]

/** A payment for each way in which the service can fail when it is asked. What a receiver may take for the last word is sent again. */
const FAILING_CALL_BACKS: ExploredCase = {
  people: [{}],
  payments: KINDS.map((_, index) => ({
    kind: 'direct-credit-payin',
    outcome: 'successful',
    amount: 10_000 + index,
    person: 0,
  })),
  deliveries: [
    ...KINDS.map((callBack, of) => ({ of, part: 0, callBack, ...(of > 0 && { together: true as const }) })),
    ...KINDS.filter(isMiss).map((kind) => ({ of: KINDS.indexOf(kind), part: 0 })),
  ],
}

test.concurrent.for(PAGES)(
  'the receiver of the page $name acts once, however the service fails when it is asked',
  { timeout: 1_800_000 },
  async (page, { skip }) => {
    const reason = whyLeftOut(page) ?? (IS_WHOLE ? undefined : TAKES_MINUTES)
    skip(reason !== undefined, reason)

    expect(await rehearseReceiverPage(page, FAILING_CALL_BACKS)).toContain('✓ oracle/any-world')
  },
)
