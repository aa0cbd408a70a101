import { expect, test } from 'vitest'
import { checkOptions, formatCommand, type ConfigFlags } from '../../../contracts/cli/check-options.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const URL = 'https://localhost:9443/hooks'

test.each<readonly [string, string | undefined, ConfigFlags, string]>([
  ['nothing but the URL', URL, {}, `npx hookbench check ${URL}`],
  ['a template', 'https://a/{object_type}', {}, "npx hookbench check 'https://a/{object_type}'"],
  ['a file', undefined, { config: 'my config.ts' }, "npx hookbench check --config 'my config.ts'"],
  ['a port', URL, { port: '0' }, `npx hookbench check ${URL} --port 0`],
  ['a data folder', URL, { data: 'my data' }, `npx hookbench check ${URL} --data 'my data'`],
  [
    'effects',
    URL,
    { effects: 'http://a/{object_type}/{id}', callsBack: true },
    `npx hookbench check ${URL} --effects 'http://a/{object_type}/{id}' --calls-back`,
  ],
  [
    'targets',
    URL,
    { allowTarget: ['a.test', '10.0.0.0/8'] },
    `npx hookbench check ${URL} --allow-target a.test --allow-target 10.0.0.0/8`,
  ],
  ['how long to wait', URL, { settle: '20000' }, `npx hookbench check ${URL} --settle 20000`],
  ['a quote', "https://localhost/'", {}, String.raw`npx hookbench check 'https://localhost/'\'''`],
  ['a command', 'https://localhost/$(rm)', {}, "npx hookbench check 'https://localhost/$(rm)'"],
])('formatCommand() carries %s', (...row) => {
  const [, url, flags, command] = row

  expect(formatCommand(url, flags)).toBe(command)
})

test('flags stand in the places of keys', async () => {
  const flags = {
    port: '0',
    data: 'mine',
    allowTarget: ['a.test'],
    callsBack: true,
    effects: 'http://a/{object_type}/{id}',
    settle: '20000',
    seed: '7',
  }

  const { options } = await checkOptions(URL, flags)

  expect(options).toMatchObject({
    receiver: { urls: { webhooks: URL }, callsBack: true },
    service: { kind: 'own', port: 0, data: 'mine', allowTargets: ['a.test'] },
    effects: { kind: 'http', url: 'http://a/{object_type}/{id}' },
    settleMs: 20_000,
    seed: 7,
  })
})

test.each([
  [{ port: 'x' }, 'Cannot use port "x": it takes a whole number from 0 to 65535'],
  [{ port: '65536' }, 'Cannot use port "65536"'],
  [{ settle: '5s' }, 'Cannot use settle "5s"'],
  [{ seed: '1.5' }, 'Cannot use seed "1.5"'],
  [{ effects: 'http://a/' }, '"effects.http" has no {object_type} and no {id}'],
  [{ config: 'no/such.yaml' }, 'Cannot read config "no/such.yaml": there is no such file'],
])('a flag that cannot be used is named: %j', async (flags, message) => {
  const reading = checkOptions(URL, flags)

  await expect(reading).rejects.toThrow(UsageError)
  await expect(reading).rejects.toThrow(message)
})
