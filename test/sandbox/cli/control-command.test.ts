import { expect, test } from 'vitest'
import { controlCommand } from '../../../sandbox/cli/control-command.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { withoutUndefined } from '../../../sandbox/cli/option-values.ts'
import { deliveryRequest, formatDelivery } from '../../../sandbox/cli/delivery-commands.ts'
import { crafted } from '../../support/control-records.ts'
import { temporaryFile } from '../../support/temporary-folder.ts'
import { paymentCommands } from '../../../sandbox/cli/payment-commands.ts'
import { formatDryPayment, listPaymentNotifications } from '../../../sandbox/cli/payment-notifications.ts'

test('a command reports a usage error even when no sandbox is running', async () => {
  const command = controlCommand({
    name: 'advance',
    description: '',
    examples: [
      ['', ''],
      ['', ''],
    ],
    call: () => {
      throw new UsageError('Cannot do that')
    },
    text: () => '',
  })

  await expect(command.parseAsync(['node', 'advance', '--data', 'nowhere'])).rejects.toThrow(UsageError)
})

const FLAGS = { data: '.hookbench' }

const URL = 'https://localhost:9443/'

const written = (name: string, bytes: string | Uint8Array) => `@${temporaryFile(name, bytes)}`

test('deliveryRequest() returns the value of every flag', async () => {
  const flags = {
    registration: 'r1',
    raw: '',
    header: ['X-A: b: c ', 'empty:'],
    sourceAddress: '127.1.2.3',
    signed: true,
    times: 3,
  }

  expect(await deliveryRequest({ ...FLAGS, ...flags })).toEqual({
    registration: 'r1',
    raw: '',
    headers: { 'x-a': 'b: c', empty: '' },
    source_address: '127.1.2.3',
    signed: true,
    times: 3,
  })
})

test('deliveryRequest() reads a file as JSON or as bytes', async () => {
  const body = written('body.json', '{"a": [1]}')
  const raw = written('raw', Uint8Array.of(0xff, 0))

  expect(await deliveryRequest({ url: URL, ...FLAGS, body })).toEqual({ url: URL, body: { a: [1] } })
  expect(await deliveryRequest({ url: URL, ...FLAGS, raw })).toEqual({
    url: URL,
    raw: '/wA=',
    raw_encoding: 'base64',
  })
})

test.each([
  ['a URL without TLS', 'http://localhost/', {}, 'the service calls only HTTPS'],
  ['two targets', URL, { registration: 'r', raw: '' }, 'two targets are given. Give one of'],
  ['no body', URL, {}, 'the body is missing. Give one of'],
  ['a body that is not JSON', URL, { body: '{' }, 'Cannot use --body: the value is not JSON'],
  ['a missing file', URL, { body: '@nope.json' }, 'Cannot read "nope.json" for --body'],
  ['a header without a value', URL, { raw: '', header: ['nope'] }, "write it as 'name: value'"],
  ['a duplicate header', URL, { raw: '', header: ['a: 1', 'A: 2'] }, 'Cannot send header "A" twice'],
])('deliveryRequest() rejects %s', async (...row) => {
  const [, url, flags, message] = row

  const request = deliveryRequest({ ...FLAGS, ...withoutUndefined({ url }), ...flags })

  await expect(request).rejects.toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
  )
})

test('formatDelivery() prints the request without control characters', () => {
  const request = { headers: [['x-a', 'b']] as [string, string][], body: '\u001B[2J{}', body_base64: '' }

  const text = formatDelivery(crafted({ request, registration_id: 'r1' }))

  expect(text).toContain('registration r1')
  expect(text.split('\n').slice(-4)).toEqual(['Sent:', 'x-a: b', '', '\uFFFD[2J{}'])
})

test.each([
  ['--via', 'crn'],
  ['--user', '12'],
  ['--pace', 'stepwise'],
])('the command "play --dry" rejects the option %s', async (name, value) => {
  const play = paymentCommands().find((command) => command.name() === 'play') ?? expect.fail()
  const played = play.parseAsync(['card-payin', '--dry', name, value], { from: 'user' })

  await expect(played).rejects.toThrow(`--dry plays no payment. Omit ${name}`)
})

test('the command "play --dry" lists the numbered notifications of a payment', () => {
  const text = formatDryPayment(listPaymentNotifications('realtime-payout', 'cancelled'))

  expect(text.split('\n')).toEqual([
    'realtime-payout with outcome cancelled sends these notifications, in this order:',
    expect.stringMatching(/^NUMBER +STEP +OBJECT +STATE$/),
    expect.stringMatching(
      /^1 +1 +disbursements +bank_processing +only with the reading realtime-payout-sequence=/,
    ),
    expect.stringMatching(/^2 +2 +disbursements +cancelled$/),
    'To notify in another order: npx hookbench rehearse realtime-payout --outcome cancelled --order 2,1',
  ])
})
