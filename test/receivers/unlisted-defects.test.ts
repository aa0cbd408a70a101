import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { DEFECTS } from './defects.ts'
import { editStarter, UNLISTED_DEFECTS } from './unlisted-defects.ts'

test.each(UNLISTED_DEFECTS)(
  'the starter receiver with the defect $name is valid code and differs from the correct starter',
  (defect) => {
    const careful = editStarter({ ...defect, edits: [] })

    const edited = [...editStarter(defect)].filter(([file, text]) => text !== careful.get(file))

    const names = new Set(defect.edits.map(({ file }) => file))
    expect(edited.map(([file]) => file)).toEqual([...careful.keys()].filter((file) => names.has(file)))
    for (const [, text] of edited) expect(() => stripTypeScriptTypes(text)).not.toThrow()
  },
)

test('all defect names are unique', () => {
  const names = [...UNLISTED_DEFECTS, ...DEFECTS].map(({ name }) => name)

  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
})
