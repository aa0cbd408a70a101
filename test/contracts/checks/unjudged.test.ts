import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { topicOf } from '../../../contracts/run/select.ts'
import { answering, checksOf, dead, findingOf } from '../support/verdicts.ts'

const CHECKS = catalogue.filter((check) => !['transport', 'oracle'].includes(topicOf(check)))
/** Checks that judge only the URL and send nothing. */
const SILENT = new Set(['registration/url-form', 'registration/unguessable-url'])
/** Hooks that the user provides. A check that needs a hook returns the error of the hook, not `unreachable`. */
const HOOKS = ['process', 'reconcile'] as const
const UNREACHABLE = CHECKS.filter(
  ({ id, needs = [] }) => !SILENT.has(id) && !HOOKS.some((hook) => needs.includes(hook)),
)

test.each(UNREACHABLE)('the check $id is unreachable when the receiver is stopped', async (check) => {
  const profile = { source: { kind: 'loopback' }, signed: check.id.startsWith('signature/') } as const

  expect(await findingOf(check, { receive: dead, profile })).toMatchObject({
    kind: 'inconclusive',
    cause: 'unreachable',
  })
})

test.each([checksOf('body'), checksOf('http'), checksOf('registration')].flat())(
  'the check $id is not observable when the receiver has no URL',
  async (check) => {
    expect(await findingOf(check, { types: [] })).toMatchObject({ kind: 'not-observable' })
  },
)

test.each([checksOf('body'), checksOf('http')].flat())(
  'the check $id does not pass a receiver that answers 500 to everything',
  async (check) => {
    const { kind } = await findingOf(check, { receive: answering(500) })

    expect(kind !== 'passed').toBe(check.id !== 'body/other-type-on-url')
  },
)

const MOVING = [checksOf('idempotency'), checksOf('order'), checksOf('recovery')]
  .flat()
  .filter(({ id }) => !['idempotency/same-delivery-again', 'recovery/old-timestamps'].includes(id))

test.each(MOVING)('the check $id is not observable when only companies have a URL', async (check) => {
  expect(await findingOf(check, { types: ['companies'] })).toMatchObject({
    kind: 'not-observable',
  })
})
