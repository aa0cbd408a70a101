import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const ROUNDS = 15
const TIMES_LARGER = 8

type MakeBody = (bytes: number) => string

const filled =
  (start: string, piece: string, end = ''): MakeBody =>
  (bytes) =>
    start + piece.repeat((bytes - start.length - end.length) / piece.length) + end

/** How many times as long a refusal of the larger body takes, by the fastest of several rounds: a busy machine delays some, not all. */
async function costRatio(type: string, make: MakeBody, largest: number): Promise<number> {
  const sandbox = testSandbox()
  const costs = { small: Infinity, large: Infinity }
  const refuse = async (body: string) => {
    const headers = { 'content-type': type }
    const request = new Request('http://sandbox.test/tokens', { method: 'POST', headers, body })
    expect((await sandbox.service(request)).status).toBe(400)
  }
  const bodies = { small: make(largest / TIMES_LARGER), large: make(largest) }
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of ['small', 'large'] as const) {
      const startedAt = performance.now()
      await refuse(bodies[size])
      costs[size] = Math.min(costs[size], performance.now() - startedAt)
    }
  }
  return costs.large / costs.small
}

test.each<[string, string, MakeBody, number]>([
  ['a form of fields without a value', FORM, filled('', 'a&'), 65_536],
  ['a form of plus signs', FORM, filled('a=', '+'), 65_536],
  ['a form of percent signs', FORM, filled('a=', '%'), 65_536],
  ['a form of list elements', FORM, filled('', 'a[]=&'), 65_536],
  ['a form whose name is brackets', FORM, filled('', '['), 65_536],
  ['a JSON list', JSON_TYPE, filled('{"a":[', '1,', '1]}'), 262_144],
  ['a JSON list of objects', JSON_TYPE, filled('{"a":[', '{},', '1]}'), 262_144],
  ['JSON that nests', JSON_TYPE, filled('', '{"a":'), 262_144],
  ['a JSON text of escapes', JSON_TYPE, filled('{"a":"', String.raw`\"`, '"}'), 262_144],
  ['a JSON number', JSON_TYPE, filled('{"a":', '1', '}'), 262_144],
])(
  'POST /tokens refuses %s at a cost that grows no faster than its bytes',
  async (...[, type, make, largest]) => {
    // A cost that grows with the square is 64 times as high.
    expect(await costRatio(type, make, largest)).toBeLessThan(2 * TIMES_LARGER)
  },
)
