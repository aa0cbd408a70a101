import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listTryOperations, toCurlLine } from '../../docs/.vitepress/theme/control-operations.ts'

const document = JSON.parse(
  readFileSync(new URL('../../spec/generated/control.json', import.meta.url), 'utf8'),
)
const operations = listTryOperations(document)
const lineOf = (id: string, changes: object = {}) => {
  const operation = operations.find((one) => one.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  const { parts, body = '' } = operation
  return toCurlLine(operation, { bench: 'http://127.0.0.1:4011/', parts, query: {}, body, ...changes })
}

test('each operation that takes a body has one to begin with', () => {
  expect(operations.length).toBeGreaterThan(50)
  expect(operations.filter(({ body }) => body === '{}').map(({ id }) => id)).toEqual([])
})

test('a line has the path, the query, and the token as the folder has it', () => {
  expect(lineOf('getObject', { parts: { type: 'items', id: 'a/b' }, query: { at: '', limit: '2' } })).toBe(
    `curl -sS 'http://127.0.0.1:4011/control/objects/items/a%2Fb?limit=2' -H "authorization: Bearer $(cat .hookbench/token)"`,
  )
})

test('a line hands a body on as it is, whatever is in it', () => {
  expect(lineOf('createObject', { body: `{"name": "O'Hara $(id)"}` })).toBe(
    String.raw`curl -sS -X POST http://127.0.0.1:4011/control/objects/items -H "authorization: Bearer $(cat .hookbench/token)" -H 'content-type: application/json' -d '{"name": "O'\''Hara $(id)"}'`,
  )
})
