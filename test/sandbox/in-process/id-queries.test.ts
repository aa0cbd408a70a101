import { Collection, Query } from '@mswjs/data'
import { expect, test } from 'vitest'
import { searchById } from '../../../sandbox/in-process/id-queries.ts'

interface Row {
  readonly id: string
  readonly state: string
}

type Search = (query: Query<Row>) => Query<Row>

const schema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    types: undefined as { readonly input: Row; readonly output: Row } | undefined,
    validate: (value: unknown) => ({ value: value as Row }),
  },
} as const

const ROWS = ['a', 'b', 'c'].map((id) => ({ id, state: id === 'c' ? 'new' : 'old' }))

/** A collection of the rows, and one that is the same but for its index, which counts how often it had the answer. */
async function openCollections() {
  const [plain, indexed] = [new Collection({ schema }), new Collection({ schema })]
  const rowById = new Map<string, Row>()
  const answered: string[] = []
  for (const row of ROWS) {
    await plain.create({ ...row })
    rowById.set(row.id, await indexed.create({ ...row }))
  }
  searchById<Row>(indexed, {
    field: 'id',
    find(id) {
      const row = rowById.get(id)
      if (row) answered.push(id)
      return row
    },
  })
  return { plain, indexed, answered }
}

test.each<[string, Search, string[]]>([
  ['the id', (query) => query.where({ id: 'b' }), ['b']],
  ['the id among other conditions', (query) => query.where({ id: 'b', state: 'old' }), ['b']],
  ['the id and what does not fit', (query) => query.where({ id: 'b', state: 'new' }), ['b']],
  ['a later condition', (query) => query.where({ state: 'old' }).where({ id: 'a' }), ['a']],
  ['one of two conditions', (query) => query.and({ state: 'old' }, { id: 'a' }), ['a']],
  ['a query within a query', (query) => query.and(query.where({ id: 'a' }), { state: 'new' }), ['a']],
  ['two ids at once', (query) => query.where({ id: 'a' }).where({ id: 'b' }), ['a']],
  ['an unknown id', (query) => query.where({ id: 'x' }), []],
  ['one id or the other', (query) => query.where({ id: 'b' }).or({ id: 'c' }), []],
  ['the id by a function', (query) => query.where({ id: (id) => id > 'a' }), []],
  ['no id', (query) => query.where({ state: 'old' }), []],
])('searchById() finds by %s what a search of all rows finds', async (_, search, ids) => {
  const { plain, indexed, answered } = await openCollections()

  const found = [indexed.findFirst(search), indexed.findMany(search)]

  expect(found).toEqual([plain.findFirst(search), plain.findMany(search)])
  expect(answered).toEqual([...ids, ...ids])
})

test('searchById() leaves pages, queries made elsewhere and what must be found to the collection', async () => {
  const { indexed } = await openCollections()
  const elsewhere = new Query<Row>().where({ id: 'b' })

  expect(indexed.findMany((query) => query.where({ id: 'b' }), { skip: 1 })).toEqual([])
  expect([indexed.findFirst(elsewhere), indexed.findFirst(), indexed.findMany()]).toEqual([
    ROWS[1],
    ROWS[0],
    ROWS,
  ])
  expect(() =>
    indexed.findFirst((query) => query.where({ id: 'b', state: 'new' }), { strict: true }),
  ).toThrow('no record found')
})
