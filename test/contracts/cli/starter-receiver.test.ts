import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createStarter } from '../../../contracts/cli/init.ts'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { readPageCode } from '../../support/pages.ts'
import { context } from '../support/config-context.ts'

const CONFIG = 'hookbench.config.yaml'
const PAGES = [
  ['php', 'php.md'],
  ['python', 'python.md'],
  ['ruby', 'rack.md'],
] as const
/** Reads the public example secrets from a starter's config. */
const secretsOf = (config = '') => ({
  token: /\{object_type\}\/(\S+)/.exec(config)?.[1] ?? '',
  secret: /^signatureSecret: (.+)$/m.exec(config)?.[1] ?? '',
})

test.each(PAGES)('the starter in %s equals the code on the page %s except for secrets', (language, page) => {
  const { texts } = createStarter(language, CONFIG)
  const { token, secret } = secretsOf(texts.get(CONFIG))

  const published = [...texts].map(([path, text]) => [
    path,
    text
      .replaceAll(token, '3f9c1d2ab47e8051c6d20a94e7b1358f')
      .replaceAll(secret, 'only-this-receiver-and-the-service-know-it'),
  ])

  const files = readPageCode(`docs/receivers/${page}`).filter(
    ({ file, notRun }) => file && notRun === undefined,
  )
  expect(published).toEqual(files.map(({ file, text }) => [file, text]))
})

test.each(PAGES)('the starter in %s runs with generated secrets and its configuration file', (language) => {
  const [first, second] = [createStarter(language, CONFIG), createStarter(language, CONFIG)]
  const config = first.texts.get(CONFIG) ?? ''
  const { token, secret } = secretsOf(config)

  const options = createRunOptions(parse(config), context)

  expect(options).toMatchObject({ secret, receiver: { callsBack: true } })
  expect(options.process?.start).toContain(`URL_TOKEN=${token} WEBHOOK_SECRET=${secret}`)
  expect([token, secret]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ])
  expect(secretsOf(second.texts.get(CONFIG))).not.toEqual({ token, secret })
})
