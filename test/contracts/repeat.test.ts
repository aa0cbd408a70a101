import { expect, test } from 'vitest'
import { commandFor } from '../../contracts/cli/check.ts'

const URL = 'https://localhost:9443/hooks'
const DEFAULTS = { port: '4010', data: '.hookbench' }

test.each([
  ['nothing but the URL', URL, {}, `npx hookbench check '${URL}'`],
  ['a port', URL, { port: '0' }, `npx hookbench check --port 0 '${URL}'`],
  ['a data folder', URL, { data: 'my data' }, `npx hookbench check --data 'my data' '${URL}'`],
  [
    'targets',
    URL,
    { allowTarget: ['a.test', '10.0.0.0/8'] },
    `npx hookbench check --allow-target 'a.test' --allow-target '10.0.0.0/8' '${URL}'`,
  ],
  ['a quote', "https://localhost/'", {}, String.raw`npx hookbench check 'https://localhost/'\'''`],
])('commandFor() carries %s', (...row) => {
  const [, url, flags, command] = row

  expect(commandFor(url, { ...DEFAULTS, ...flags })).toBe(command)
})
