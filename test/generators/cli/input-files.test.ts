import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readOverlay, readVocabulary } from '../../../generators/cli/generate-into.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-input-'))

afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test.each([
  ['words.yaml', 'extwallet: lane\n'],
  ['words.json', '{"extwallet": "lane"}'],
  ['hookbench.config.yaml', 'port: 1\nvocabulary:\n  extwallet: lane\n'],
  ['hookbench.config.json', '{"memory": true, "vocabulary": {"extwallet": "lane"}}'],
])('readVocabulary() takes the words of %s', (name, text) => {
  expect(readVocabulary(file(name, text))).toEqual({ extwallet: 'lane' })
})

/** Ten times ten times ten … of one element. */
const BOMB = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  .concat(
    'bcdefghij'.split('').map((name, index) => {
      const many = Array.from({ length: 10 }, () => `*${'abcdefghij'[index]}`)
      return `${name}: &${name} [${many.join(', ')}]`
    }),
  )
  .join('\n')

test.each([
  ['empty.yaml', '', 'it is not a map'],
  ['list.yaml', '- a\n', 'it is not a map'],
  ['config.yaml', 'port: 4010\n', '"port" is 4010; give it a word, or put all words under "vocabulary:"'],
  ['broken.yaml', 'a: [', 'correct its YAML or JSON'],
  ['bomb.yaml', BOMB, 'Excessive alias count'],
  ['deep.yaml', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'correct its YAML or JSON'],
  ['proto.yaml', '__proto__:\n  admin: yes\n', '"__proto__" is {"admin":"yes"}'],
])('readVocabulary() refuses %s in one line', (name, text, message) => {
  const path = file(name, text)

  expect(() => readVocabulary(path)).toThrow(new RegExp(`^Cannot (use|read) vocabulary "${path}": .*$`))
  expect(() => readVocabulary(path)).toThrow(message)
})

test('readVocabulary() and readOverlay() refuse a file that is not there, or that cannot be read', () => {
  expect(() => readVocabulary(join(folder, 'gone.yaml'))).toThrow(
    'there is no such file; name a YAML or JSON file',
  )
  expect(() => readOverlay(folder)).toThrow(`Cannot read overlay "${folder}": `)
})
