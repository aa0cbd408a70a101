import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FOLDERS, RULES } from './support/architecture-rules.ts'
import { folderCycles, importsAgainstOrder, looseFiles, ROOMS } from './support/rooms.ts'
import { codeOf, importsOf, readSourceTree, type SourceTree } from './support/source-tree.ts'

interface Violation {
  readonly path: string
  readonly rule: string
  readonly found: string
}

function violations(tree: SourceTree): Violation[] {
  return [...tree].flatMap(([path, text]) => {
    const searched = { imports: importsOf(path, text), code: [codeOf(text)], text: [text] }
    return RULES.filter(
      (rule) => rule.files?.test(path) !== false && rule.except?.test(path) !== true,
    ).flatMap(({ name, what, forbidden }) =>
      searched[what].flatMap((part) => {
        const found = forbidden.exec(part)?.[0]
        if (found === undefined) return []
        return [{ path, rule: name, found: what === 'imports' ? part : found.slice(-60) }]
      }),
    )
  })
}

const sources = readSourceTree(FOLDERS)
const present = violations(sources)

test.each(RULES)('$name', ({ name }) => {
  expect(present.filter(({ rule }) => rule === name)).toEqual([])
})

test('what the sources load is installed where nothing is tested or built, as the action runs them', () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const { dependencies } = read('build/bundled/package.json')
  const { peerDependencies } = read('package.json')
  const installed = Object.keys({ ...dependencies, ...peerDependencies, hookbench: '' })
  // The dashboard runs in a browser, as it was built.
  const loaded = [...sources].flatMap(([path, text]) =>
    path.startsWith('sandbox/dashboard/')
      ? []
      : [
          ...text.matchAll(
            /^(?:import|export) (?!type )[^;'`]*?from '(?!node:)((?:@[^/']+\/)?[^./'][^/']*)/gm,
          ),
        ].map(([, name = '']) => ({ path, name })),
  )

  expect(loaded.length).toBeGreaterThan(20)
  expect(loaded.filter(({ name }) => !installed.includes(name))).toEqual([])
})

test('every room has files', () => {
  const empty = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    rooms.filter((room) => ![...sources.keys()].some((path) => path.startsWith(`${folder}/${room}`))),
  )
  expect(empty).toEqual([])
})

test('no file lies beside the rooms', () => {
  expect(looseFiles(sources)).toEqual([])
})

test('no room imports one that stands after it', () => {
  expect(importsAgainstOrder(sources)).toEqual([])
})

test('no folders import each other in a ring', () => {
  expect(folderCycles(sources)).toEqual([])
})
