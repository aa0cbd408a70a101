import { array, assert, constantFrom, oneof, property, string, uuid } from 'fast-check'
import { expect, test } from 'vitest'
import { createColumn } from '../../../../sandbox/engine/core/column.ts'
import { createIdTable } from '../../../../sandbox/engine/core/id-table.ts'

const id = oneof(
  uuid(),
  string({ maxLength: 8 }),
  // All but a uuid: capitals, a digit short, other signs.
  constantFrom(
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-0000-4000-8000-000000000001',
    'ffffffff-0000-4000-8000-00000000000',
    'ffffffff-0000-4000-8000-00000000000g',
    'ffffffff+0000-4000-8000-000000000001',
    'ffffffff-0000-4000-8000-000000000001',
  ),
)

test('an id table gives each id its number, and each number its id', () => {
  assert(
    property(array(id, { maxLength: 200, size: 'max' }), (ids) => {
      const words = createColumn('u32')
      const others = new Map<number, string>()
      const table = createIdTable({ words, others })
      const unique = [...new Set(ids)]

      const numbers = ids.map(table.add)

      expect(numbers).toEqual(ids.map((each) => unique.indexOf(each)))
      for (const each of [table, createIdTable({ words, others })])
        expect([unique.map(each.find), unique.map((_, number) => each.at(number))]).toEqual([
          unique.map((_, number) => number),
          unique,
        ])
    }),
  )
})

test('an id table knows no id that was not added', () => {
  const table = createIdTable({ words: createColumn('u32'), others: new Map() })
  table.add('0a000000-0000-4000-8000-000000000001')

  expect([table.find('0a000000-0000-4000-8000-000000000002'), table.find('a'), table.at(1)]).toEqual([
    undefined,
    undefined,
    '',
  ])
})

test('an id that is pushed once more is found by its last number', () => {
  const table = createIdTable({ words: createColumn('u32'), others: new Map() })
  const twice = '0a000000-0000-4000-8000-000000000001'

  const numbers = [twice, 'own', twice, 'own'].map(table.push)

  expect([numbers, table.find(twice), table.find('own')]).toEqual([[0, 1, 2, 3], 2, 3])
})

test('an id table finds what begins so, in order', () => {
  assert(
    property(
      array(id, { maxLength: 100, size: 'max' }),
      constantFrom('', '0', 'ff', 'ffffffff-0', 'a', 'F', '-'),
      (ids, start) => {
        const table = createIdTable({ words: createColumn('u32'), others: new Map() })
        ids.forEach(table.add)

        expect(table.beginning(start)).toEqual([...new Set(ids)].filter((each) => each.startsWith(start)))
      },
    ),
  )
})
