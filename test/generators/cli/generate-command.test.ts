import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVocabulary, planWrites, writePlan } from '../../../generators/cli/generate-into.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary-folder.ts'
import { formatMark, type PlatformFile } from '../../../generators/platform/platform-files.ts'

test.each([
  ['words.yaml', 'extwallet: lane\n'],
  ['words.json', '{"extwallet": "lane"}'],
  ['hookbench.config.yaml', 'port: 1\nvocabulary:\n  extwallet: lane\n'],
  ['hookbench.config.json', '{"memory": true, "vocabulary": {"extwallet": "lane"}}'],
])('readVocabulary() reads the words of %s', (name, text) => {
  expect(readVocabulary(temporaryFile(name, text))).toEqual({ extwallet: 'lane' })
})

test.each([
  ['empty.yaml', '', 'it is not a map'],
  ['list.yaml', '- a\n', 'it is not a map'],
  [
    'config.yaml',
    'port: 4010\n',
    '"port" is 4010, which is not text; give a word, or put all words under "vocabulary:"',
  ],
  ['broken.yaml', 'a: [', 'Correct its YAML or JSON'],
  ['deep.yaml', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'Correct its YAML or JSON'],
  ['proto.yaml', '__proto__:\n  admin: yes\n', '"__proto__" is {"admin":"yes"}'],
])('readVocabulary() rejects %s in one line', (name, text, message) => {
  const path = temporaryFile(name, text)

  expect(() => readVocabulary(path)).toThrow(new RegExp(`^Cannot (use|read) vocabulary "${path}": .*$`))
  expect(() => readVocabulary(path)).toThrow(message)
})

test('readVocabulary() rejects a missing or unreadable file', () => {
  const folder = temporaryFolder()

  expect(() => readVocabulary(join(folder, 'gone.yaml'))).toThrow(
    'it does not exist. Name a YAML or JSON file',
  )
  expect(() => readVocabulary(folder)).toThrow(`Cannot read vocabulary "${folder}": `)
})

const newFolder = () => join(temporaryFolder(), 'out')

const ts = (path: string, rest = ''): PlatformFile => ({ path, text: `// ${formatMark('ts')}\n${rest}` })

const json = (path: string): PlatformFile => ({
  path,
  text: `${JSON.stringify({ $schema: 'x', $comment: formatMark('json-schema'), title: path }, null, 2)}\n`,
})

test('writePlan() creates the folder, and a second plan has nothing to write', () => {
  const out = join(newFolder(), 'a/b')
  const files = [json('a.schema.json'), json('tolerant/a.schema.json')]

  writePlan(planWrites(out, files, 'json-schema'))

  const plan = planWrites(out, files, 'json-schema')
  expect([plan.changed, plan.unchanged.length, plan.gone]).toEqual([[], 2, []])
  expect(readdirSync(out, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'a.schema.json',
    'tolerant',
    join('tolerant', 'a.schema.json'),
  ])
})

test('writePlan() replaces previously generated files and removes obsolete files', () => {
  const out = newFolder()
  writePlan(planWrites(out, [json('a.schema.json'), json('tolerant/b.schema.json')], 'json-schema'))
  writePlan(planWrites(out, [ts('index.ts', 'old')], 'ts'))
  writeFileSync(join(out, 'own.ts'), 'export {}')
  writeFileSync(join(out, 'own.json'), '{}')

  writePlan(planWrites(out, [ts('index.ts', 'new')], 'ts'))
  writePlan(planWrites(out, [json('c.schema.json')], 'json-schema'))

  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).toSorted()
  expect(names).toEqual(['c.schema.json', 'index.ts', 'own.json', 'own.ts', 'tolerant'])
  expect(readFileSync(join(out, 'index.ts'), 'utf8')).toContain('new')
})

test.each([
  ['a hand-written file', (path: string) => writeFileSync(path, 'export {}')],
  [
    'a file that only mentions the mark of generated files',
    (path: string) => writeFileSync(path, `export {}\n// ${formatMark('ts')}\n`),
  ],
  ['a folder', (path: string) => mkdirSync(path, { recursive: true })],
])('planWrites() rejects a file in place of %s and writes nothing', (_, make) => {
  const out = newFolder()
  mkdirSync(out)
  make(join(out, 'types.ts'))

  expect(() => planWrites(out, [ts('index.ts'), ts('types.ts')], 'ts')).toThrow(
    `Cannot write "${join(out, 'types.ts')}": it was not generated. Move it away`,
  )
  expect(existsSync(join(out, 'index.ts'))).toBe(false)
})

test('writePlan() changes nothing when it fails', () => {
  const out = newFolder()
  writePlan(planWrites(out, [ts('index.ts', 'old')], 'ts'))
  writeFileSync(join(out, 'below'), '')

  expect(() => writePlan(planWrites(out, [ts('index.ts', 'new'), ts('below/b.ts')], 'ts'))).toThrow(
    'Cannot write into',
  )
  expect(readdirSync(out)).toEqual(['below', 'index.ts'])
  expect(readFileSync(join(out, 'index.ts'), 'utf8')).toContain('old')
})
