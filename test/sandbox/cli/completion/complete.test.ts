import { expect, test } from 'vitest'
import { complete } from '../../../../sandbox/cli/completion/complete.ts'
import { toCandidate } from '../../../../sandbox/cli/completion/candidate.ts'
import { hasValue, nameOfOption } from '../../../../sandbox/cli/completion/find-place.ts'
import { findValues } from '../../../../sandbox/cli/completion/value-table.ts'
import type { CommandTarget } from '../../../../sandbox/engine/core/command-line.ts'
import type { Perform } from '../../../../sandbox/compose/perform.ts'
import { UnreachableError } from '../../../../sandbox/client/unreachable.ts'
import { listCommands, loadProgram } from '../../../support/all-commands.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const program = await loadProgram()
const { perform } = testSandbox()
const { id: payment } = await perform('playPayment', { body: { kind: 'card-payin', pace: 'stepwise' } })
const { objects } = await perform('listObjects', { path: { type: 'items' } })
const item = objects[0]?.id ?? ''
const user = 'buyer $(exit) `x` "7"'
await perform('createObject', { path: { type: 'users' }, body: { id: user } })
const { id: fault } = await perform('addFault', { body: { on: 'delivery', kind: 'drop', times: 1 } })
const listChecks = async () => [toCandidate('order', 'all of them'), toCandidate('order/twins', 'one')]

const unreachable: Perform = async () => {
  throw new UnreachableError('find a sandbox', { code: 'no_sandbox', state: 'none runs', hint: 'start one' })
}

/** How a line goes on, whose last word is completed: the words, and what the shell is to do. */
async function completeLine(line: string, connect: () => Perform = () => perform) {
  const text = await complete(line.split(' '), { program, connect, listChecks })
  const lines = text.split('\n')
  const rows = lines.filter((each) => each.includes('\t')).map((each) => each.split('\t'))
  return { words: rows.map(([word]) => word), abouts: rows.map(([, about]) => about), deed: lines.at(-1) }
}

test.each([
  ['jo', ['jobs', 'job'], ':done'],
  ['faults ', ['add', 'kinds', 'remove', 'clear'], ':done'],
  ['jobs --st', ['--status'], ':done'],
  ['jobs --status p', ['pending'], ':done'],
  ['jobs --status=s', ['--status=success'], ':done'],
  ['jobs --wide --wi', [], ':done'],
  ['show it', ['items'], ':done'],
  ['play npp-payin --via ', ['pay-id', 'crn', 'virtual-account'], ':done'],
  ['play direct-debit-payin --outcome f', ['failed_direct_debit'], ':done'],
  ['next-outcome direct-debit-payin f', ['failed_direct_debit'], ':done'],
  ['objects items --state comp', ['completed'], ':done'],
  ['readings set retry-w', ['retry-window'], ':done'],
  ['readings set retry-window ', ['24h', 'five-attempts'], ':done'],
  ['up --reading retry-w', ['retry-window='], ':open'],
  ['up --reading retry-window=f', ['retry-window=five-attempts'], ':done'],
  ['faults add delivery dup', ['duplicate'], ':done'],
  ['faults add api dup', [], ':done'],
  ['faults add api status --match object_t', ['object_type='], ':open'],
  ['faults add api status --match object_type=it', ['object_type=items'], ':done'],
  ['faults add api status --match state=a object_type=it', ['object_type=items'], ':done'],
  ['events --type job,att', ['job,attempt'], ':done'],
  ['create items amo', ['amount='], ':open'],
  ['check ord', ['order', 'order/twins'], ':done'],
  ['check https://localhost:1/ order order/', ['order/twins'], ':done'],
  ['check --require effects,ca', ['effects,calls'], ':done'],
  ['rehearse card-pay', ['card-payin', 'card-payout'].slice(0, 1), ':done'],
  ['load --payments npp-payin,card-pay', ['npp-payin,card-payin'], ':done'],
  ['load --shape si', ['sine'], ':done'],
  ['help faults re', ['remove'], ':done'],
  ['completion ', ['bash', 'zsh', 'fish'], ':done'],
  ['generate --lang j', ['json-schema'], ':done'],
  ['clock set c', ['compressed'], ':done'],
  ['deliver --body @', [], ':files @'],
  ['deliver --body=@', [], ':files --body=@'],
  ['snapshot restore be', [], ':files'],
  ['up --data ', [], ':folders'],
  ['up --data=', [], ':folders --data='],
  ['nonsense ', [], ':done'],
  ['job -- --', [], ':done'],
])('"%s" goes on with what the program takes there', async (line, words, deed) => {
  expect(await completeLine(line)).toMatchObject({ words, deed })
})

test('ids are those of the running sandbox, with what each is', async () => {
  expect(await completeLine('next ')).toEqual({
    words: [payment],
    abouts: ['card-payin to successful, step 1 of 2'],
    deed: ':done',
  })
  expect(await completeLine(`show items ${item.slice(0, 5)}`)).toMatchObject({ words: [item] })
  expect(await completeLine('faults remove ')).toMatchObject({
    words: [fault],
    abouts: ['delivery drop on everything, applied 0 times'],
  })
})

test('a state is one to which that object can go', async () => {
  const { next } = await perform('describeObject', { path: { type: 'items', id: item } })

  const { words } = await completeLine(`move items ${item} `)

  expect(words).toEqual(next)
  expect(words.length).toBeGreaterThan(1)
})

test('where no sandbox runs nothing of it is completed, and all else is', async () => {
  const connect = () => unreachable

  expect(await completeLine('next ', connect)).toEqual({ words: [], abouts: [], deed: ':done' })
  expect(await completeLine('move items x ', connect)).toMatchObject({ words: [] })
  expect(await completeLine('show it', connect)).toMatchObject({ words: ['items'] })
})

test('the sandbox is looked for where the command would look for it', async () => {
  const targets: CommandTarget[] = []
  const connect = (target: CommandTarget) => {
    targets.push(target)
    return perform
  }

  for (const line of ['next ', 'next --data mine ', 'next --data=other --world anna ']) {
    await complete(line.split(' '), { program, connect, listChecks })
  }

  expect(targets).toEqual([{}, { data: 'mine' }, { data: 'other', world: 'anna' }])
})

test('an id that would steer a terminal is left out, and every description is one line', async () => {
  const hostile = [
    toCandidate('a\u001b[2J', 'x'),
    toCandidate('b\nc', 'x'),
    toCandidate('d', 'one\ttwo\n\u001b[31mthree'),
  ]

  const text = await complete(['check', ''], {
    program,
    connect: () => perform,
    listChecks: async () => hostile,
  })

  expect(text).toBe('d\tone two [31mthree\n:done')
})

test('what an id has in it is for the shell to quote', async () => {
  expect((await completeLine('show users b')).words).toEqual([user])
})

/** Of what nothing can be known: numbers, instants, texts of one's own. */
const FREE = new Set(
  `--ttl --limit --cursor --before --at --since --count --timeout --times --skip --probability --seed
  --copies --delay --status --retry-after --revisions-back --set --amount --currency --header
  --store --node --lease --source-address --description --port --bench-port --receiver-port --speed --allow-target
  --client-id --client-secret --email --api-token --listen --allowed-host --token --effects --settle --attach --order --lose
  --break-answer --late --callback --case --explore --rate --for --connections --max-p99 --compare by url`.split(
    /\s+/,
  ),
)

test('of every argument and option it is known what completes it, or that nothing can', async () => {
  const unknown = [...(await listCommands())].flatMap(([name, { registeredArguments, options }]) => {
    const takers = [
      ...registeredArguments.map((each) => [each.name(), each.argChoices] as const),
      ...options.filter(hasValue).map((each) => [nameOfOption(each), each.argChoices] as const),
    ]
    return takers
      .filter(([value, choices]) => !choices && !findValues(name, value) && !FREE.has(value))
      .map(([value]) => `${name} ${value}`)
  })

  expect(unknown).toEqual([])
})
