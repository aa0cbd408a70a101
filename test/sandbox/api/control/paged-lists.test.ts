import { expect, test } from 'vitest'
import { RECEIVER, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const ADD: Readonly<Record<string, (sandbox: TestSandbox) => Promise<unknown>>> = {
  jobs: ({ control }) => control('POST', '/objects/items', {}),
  requests: ({ service }) => service(new Request('http://service.test/nope')),
  deliveries: ({ control }) => control('POST', '/deliveries', { url: RECEIVER, body: {} }),
  payments: ({ control }) => control('POST', '/payments', { kind: 'card-payin', pace: 'stepwise' }),
}

test.each(Object.entries(ADD))('%s are listed in pages, oldest first', async (list, add) => {
  const sandbox = testSandbox()
  if (list === 'jobs') await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })
  for (let count = 0; count < 5; count++) await add(sandbox)
  await sandbox.idle()
  const read = async (query: string) => {
    const { body } = await sandbox.control('GET', `/${list}?${query}`)
    const ids: readonly unknown[] = body[list].map(({ id }: { id: unknown }) => id)
    return { ids, older: body.older, next: body.next_cursor }
  }

  const { ids } = await read('limit=200')
  const sizes: number[] = []
  const walked: unknown[] = []
  for (let cursor = '0'; cursor !== null;) {
    const page = await read(`limit=2&cursor=${cursor}`)
    walked.push(...page.ids)
    sizes.push(page.ids.length)
    cursor = page.next
  }

  expect([walked, new Set(ids).size]).toEqual([ids, ids.length])
  expect(sizes.slice(0, -1).every((size) => size === 2)).toBe(true)
  expect(await read('limit=2')).toEqual({ ids: ids.slice(-2), older: ids.length - 2, next: null })
  expect(await read('cursor=99')).toEqual({ ids: [], older: ids.length, next: null })
})

test.each(Object.keys(ADD))('the list of %s rejects an invalid cursor or limit', async (list) => {
  const { control } = testSandbox()
  const queries = ['cursor=x', 'cursor=-1', 'limit=0', 'limit=201', 'limit=x', 'limit=1&limit=2']
  const answers = await Promise.all(queries.map((query) => control('GET', `/${list}?${query}`)))

  expect(answers.map(({ status, body }) => [status, body.error.field])).toEqual(
    queries.map((query) => [422, query.split('=')[0]]),
  )
})
