import { expect, test } from 'vitest'
import { formatLiteral, findStale } from '../../generators/generated-file.ts'

test('findStale() names every file that differs, is missing, or is made no more', () => {
  const files = [
    { path: 'a.ts', text: 'a' },
    { path: 'b.ts', text: 'b' },
    { path: 'c.ts', text: 'c' },
  ]
  const onDisk: Record<string, string> = { 'a.ts': 'a', 'b.ts': 'changed', 'z.ts': 'old' }

  const paths = findStale(files, (path) => onDisk[path], Object.keys(onDisk))

  expect(paths).toEqual(['b.ts', 'c.ts', 'z.ts'])
})

test('formatLiteral() quotes only the keys that need it', () => {
  expect(formatLiteral({ plain: 1, '24h': '"q":' })).toBe('{\n  plain: 1,\n  "24h": "\\"q\\":"\n}')
})
