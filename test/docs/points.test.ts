import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const linked = (page: string) =>
  new Set([...read(page).matchAll(/checks\.md#([a-z]+\/[a-z-]+)\)/g)].map(([, id = '']) => id))

test('"How a good receiver works" has a point for each check that is a must', () => {
  const points = linked('docs/how-a-good-receiver-works.md')
  const musts = catalogue.filter(({ severity }) => severity === 'must').map(({ id }) => id)

  expect(musts.filter((id) => !points.has(id))).toEqual([])
})

test('each of the seven ways to lose money names a check that finds it', () => {
  const ways = read('docs/why.md')
    .split(/^## (?=\d\. )/m)
    .slice(1)

  expect(ways).toHaveLength(7)
  expect(ways.filter((way) => !/checks\.md#[a-z]+\/[a-z-]+\)/.test(way))).toEqual([])
})

test('every key of the configuration is on its page', () => {
  const { properties, $defs } = JSON.parse(read('spec/generated/config.schema.json'))
  const page = read('docs/reference/configuration.md')
  const keys = [...Object.keys(properties), ...Object.keys($defs['ServiceCredentials'].properties)]

  expect(
    keys.filter((key) => !new RegExp(`[\`.{ ]${key.replace('$', String.raw`\$`)}\\b`).test(page)),
  ).toEqual([])
})
