import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { groupByCause } from '../../contracts/report/failure-groups.ts'
import type { ReceiverOptions } from '../receivers/receiver.ts'
import { selectChecks } from '../../contracts/run/select.ts'
import { judged, type Platform } from '../support/judged-receiver.ts'
import { serveHttp } from '../support/scripted-server.ts'

async function startLate(
  { cert, key, token }: Pick<ReceiverOptions, 'cert' | 'key' | 'token'>,
  isLate: (type: string) => boolean,
): Promise<Platform> {
  const { origin, close } = await serveHttp(
    (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        const [, type = ''] = request.url?.split('/') ?? []
        if (body.startsWith('{"message"') || !isLate(type)) response.writeHead(204).end()
      })
    },
    { cert, key },
  )
  const url = `${origin}/{object_type}/${token}`
  return {
    webhooks: url,
    callbacks: url,
    effects: '',
    core: { readEffects: () => ({ effects: 0, state: null }) },
    close,
  }
}

const NAMES = [
  'http/accepts-golden-bodies',
  'http/no-redirect',
  'http/no-browser-needed',
  'body/payin-details',
  'trust/lying-body',
]

const SETTINGS = { readings: { 'delivery-deadline': '2s' }, settleMs: 200 }

test('a run reports one failure when the receiver responds too late to every notification', async () => {
  const { results } = await judged({
    checks: selectChecks(catalogue, NAMES),
    start: (options) => startLate(options, () => true),
    settings: SETTINGS,
  })

  expect(results.map(({ check, verdict }) => [check.id, verdict])).toEqual(
    NAMES.map((id) => [id, id === 'http/accepts-golden-bodies' ? 'failed' : 'inconclusive']),
  )
  expect(groupByCause({ results }).failures).toMatchObject([
    { cause: { kind: 'refused', type: undefined, answer: 'too-late' }, unjudged: { length: 4 } },
  ])
})

test('a receiver that responds too late for one object type is judged on the other object types', async () => {
  const { results } = await judged({
    checks: selectChecks(catalogue, NAMES.slice(0, 3)),
    start: (options) => startLate(options, (type) => type === 'transactions'),
    settings: SETTINGS,
  })

  expect(results.map(({ check, verdict }) => [check.id, verdict])).toEqual([
    ['http/accepts-golden-bodies', 'failed'],
    ['http/no-redirect', 'passed'],
    ['http/no-browser-needed', 'passed'],
  ])
})
