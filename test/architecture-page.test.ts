import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOMS } from './support/rooms.ts'

const page = readFileSync(new URL('../docs/internals/architecture.md', import.meta.url), 'utf8')
const source = (path: string) => new URL(`../${path}`, import.meta.url)

const named = [...page.matchAll(/`(\w+)(?:\(\))?`\s+in\s+`([\w/.-]+\.ts)`/g)].map(
  ([, name = '', file = '']) => [name, file] as const,
)

const paths = [...page.matchAll(/`((?:spec|sandbox|contracts|test)\/[\w/.-]+)`/g)].map(
  ([, path = '']) => path,
)

test('the architecture page names more than 30 functions', () => {
  expect(named.length).toBeGreaterThan(30)
})

test.each(named)('architecture.md names the function %s with its file %s', (name, file) => {
  const text = existsSync(source(file)) ? readFileSync(source(file), 'utf8') : ''

  expect(text).toMatch(new RegExp(String.raw`\b(function\*?|const) ${name}\b`))
})

test.each(paths)('the path %s in architecture.md exists', (path) => {
  expect(existsSync(source(path))).toBe(true)
})

const contributing = readFileSync(source('CONTRIBUTING.md'), 'utf8')
const recipes = contributing.slice(
  contributing.indexOf('## Where everything is'),
  contributing.indexOf('## Working on Hookbench'),
)
const places = [...recipes.matchAll(/`((?:spec|sandbox|contracts|test)\/[\w/.-]+)`/g)].map(
  ([, path = '']) => path,
)

test.each(places)('the path %s in the recipes of CONTRIBUTING.md exists', (path) => {
  expect(existsSync(source(path))).toBe(true)
})

const rooms = Object.entries(ROOMS).flatMap(([folder, inside]) =>
  inside.map((room) => [folder, room.split('/').at(-1) ?? ''] as const),
)

test.each(rooms)('the folder tree in CONTRIBUTING.md lists folder %s with subfolder %s', (folder, room) => {
  const tree = recipes.slice(recipes.indexOf(`\n${folder}/`))

  expect(tree.slice(0, tree.search(/\n(?!\s|sandbox|contracts)\S/))).toContain(room)
})
