import { expect, test } from 'vitest'
import type { Perform } from '../../../../sandbox/compose/perform.ts'
import { listObjects } from '../../../../sandbox/dashboard/data/pages.ts'

const ANY = { type: 'items', id: '', state: '' }
const object = (id: string) => ({ object_type: 'items', id, revision: 1, state: 'pending' })

function paged(pages: readonly (readonly string[])[]) {
  const asked: unknown[] = []
  const perform = (async (_: string, input: { readonly query: { readonly before?: string } }) => {
    asked.push(input.query)
    const at = Number(input.query.before ?? 0)
    const older = pages.slice(at + 1).flat().length
    return {
      objects: (pages[at] ?? []).map(object),
      older,
      before: older === 0 ? null : String(at + 1),
    }
  }) as unknown as Perform
  return { asked, perform }
}

test('listObjects() returns the newest objects of the requested pages first', async () => {
  const { perform } = paged([
    ['5', '6'],
    ['3', '4'],
    ['1', '2'],
  ])

  const { objects, older } = await listObjects(perform, ANY, 2)

  expect(objects.map(({ id }) => id)).toEqual(['6', '5', '4', '3'])
  expect(older).toBe(2)
})
