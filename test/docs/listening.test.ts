import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { validateConfig } from '../../sandbox/cli/config.ts'
import { readPageCode } from '../support/page-code.ts'

// What the page has typed is run on two machines: `two-machines.test.ts`.

test('the configuration of the page about listening is one', () => {
  const code = readPageCode(new URL('../../docs/guides/listening.md', import.meta.url))
  const block = code.find(({ file }) => file === 'hookbench.config.yaml')
  const config = { listen: '0.0.0.0', allowedHosts: ['hookbench'], allowTargets: ['receiver'] }

  expect(validateConfig(Object(parse(block?.text ?? '')))).toEqual({ config, problems: [] })
})
