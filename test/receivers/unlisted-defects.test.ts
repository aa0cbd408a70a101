import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFECTS } from '../../contracts/reference-receiver/defects.ts'
import { editStarter, UNLISTED_DEFECTS, writeDefectiveStarter } from './unlisted-defects.ts'

test.each(UNLISTED_DEFECTS)('the starter with the defect $name parses and differs', (defect) => {
  const careful = editStarter({ ...defect, edits: [] })

  const edited = [...editStarter(defect)].filter(([file, text]) => text !== careful.get(file))

  const names = new Set(defect.edits.map(({ file }) => file))
  expect(edited.map(([file]) => file)).toEqual([...careful.keys()].filter((file) => names.has(file)))
  for (const [, text] of edited) expect(() => stripTypeScriptTypes(text)).not.toThrow()
})

test('editStarter() rejects an edit whose text occurs never or twice', () => {
  const edit = (from: string) => () =>
    editStarter({ name: 'bad', about: '', area: 'http', edits: [{ file: 'store.mjs', from, to: '' }] })

  expect(edit('no such text')).toThrow('its text must occur once')
  expect(edit('database.prepare(')).toThrow('its text must occur once')
})

test('five unlisted defects concern each area, under names that no other defect has', () => {
  const names = [...UNLISTED_DEFECTS, ...DEFECTS].map(({ name }) => name)

  const areas = Map.groupBy(UNLISTED_DEFECTS, ({ area }) => area)

  expect([...areas.values()].map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 5))
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
})

test('writeDefectiveStarter() writes the three files of the starter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-defect-'))
  try {
    for (const defect of UNLISTED_DEFECTS.slice(0, 1)) writeDefectiveStarter(defect, folder)

    expect(readdirSync(folder).toSorted()).toEqual(['main.mjs', 'service.mjs', 'store.mjs'])
    expect(readFileSync(join(folder, 'main.mjs'), 'utf8')).toContain('chunk.toString()')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
