import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFrameworkProject, serveNoEffects, writeInProcessSuite } from './framework-project.ts'
import { freePort } from '../support/free-ports.ts'
import { readPageCode } from '../support/pages.ts'
import { openWorkshop } from '../support/program.ts'

const blocks = readPageCode(new URL('../../docs/frameworks.md', import.meta.url))
const findBlock = (name: string) => {
  const found = blocks.find(({ file }) => file === name)
  if (!found) throw new Error(`docs/frameworks.md has no ${name}`)
  return found
}
/** Returns the first command in the page section about the file `name`. This command runs all tests in the file. */
const commandFor = (name: string) => {
  const { heading } = findBlock(name)
  const shell = blocks.find((block) => block.heading === heading && block.language === 'sh')
  return shell?.text.split('\n')[0] ?? ''
}

interface Framework {
  readonly name: string
  readonly file: string
  /** Command-line flags that print each test. */
  readonly flags?: string
  readonly pass: string
  /** Matches a test whose check is not observable. */
  readonly skip: RegExp
  /** Matches a test whose check is a known failure. */
  readonly known: RegExp
  /** Matches the failed test of a recommended check. */
  readonly late: RegExp
  readonly repeat: string
}

const UNLISTED = 'trust/unlisted-source: .*'
const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'vitest',
    file: 'receiver.vitest.test.js',
    flags: '--reporter=verbose',
    pass: '✓ receiver.vitest.test.js > the receiver > ',
    skip: new RegExp(`↓ .*${UNLISTED}not observable: set sourceAddresses`),
    known: /↓ .*registration\/unguessable-url: .*known to fail/,
    late: /↓ .*body\/other-content-types: .*failed, but is not required/,
    repeat: `npx vitest -t 'registration/unguessable-url:'`,
  },
  {
    name: 'node:test',
    file: 'receiver.node.test.mjs',
    pass: '✔ ',
    skip: new RegExp(`﹣ ${UNLISTED}# not observable: set sourceAddresses`),
    known: /﹣ registration\/unguessable-url: .*# known to fail/,
    late: /﹣ body\/other-content-types: .*# failed, but is not required/,
    repeat: `node --test --test-name-pattern='registration/unguessable-url:'`,
  },
  ...['receiver.jest.test.mjs', 'receiver.jest.test.cjs'].map((file) => ({
    name: `Jest (${file.slice(-3)})`,
    file,
    flags: '--verbose',
    pass: '✓ ',
    skip: new RegExp(`○ skipped ${UNLISTED}not observable: set sourceAddresses`),
    known: /✓ registration\/unguessable-url: /,
    late: /body\/other-content-types: failed, but is not required/,
    repeat: `npx jest -t 'registration/unguessable-url:'`,
  })),
  {
    name: 'Mocha',
    file: 'receiver.mocha.test.mjs',
    pass: '✔ ',
    skip: new RegExp(`- ${UNLISTED}not observable: set sourceAddresses`),
    known: /- registration\/unguessable-url: .*known to fail/,
    late: /- body\/other-content-types: .*failed, but is not required/,
    repeat: `npx mocha --grep 'registration/unguessable-url:'`,
  },
]

const JEST = 'NODE_OPTIONS=--experimental-vm-modules npx jest'

/** Commands for frameworks that replace Node's globals. */
const REALMS = [
  'npx vitest run --pool vmThreads',
  'npx vitest run --environment jsdom',
  'npx vitest run --environment happy-dom',
  JEST,
  `${JEST} --env jest-fixed-jsdom`,
]

const LISTENER = `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
const [, , certs, port] = process.argv
const [cert, key] = ['crt', 'key'].map((name) => readFileSync(certs + '/localhost.' + name + '.pem'))
createServer({ cert, key }, (request, response) => request.resume().on('end', () => response.end())).listen(port)
`

/** Frameworks with a default timeout of at most five seconds. */
const WITH_TIMEOUT = new Set(['vitest', 'Jest (mjs)', 'Mocha'])
/** The value of `windowMs`. The check for test POSTs waits for three windows, which exceeds the default timeouts. */
const LONG_WINDOW_MS = 2_000

describe('test frameworks', () => {
  const opened: { close(): Promise<void> | void }[] = []
  let project: ReturnType<typeof openFrameworkProject>
  let pageConfig = ''
  let places = { certs: '', data: '' }
  let suiteFiles = 0

  beforeAll(async () => {
    project = openFrameworkProject()
    const shop = openWorkshop()
    const effects = await serveNoEffects()
    opened.push(project, shop, effects)
    places = { certs: join(shop.folder, 'certs'), data: join(shop.folder, '.hookbench') }
    suiteFiles = writeInProcessSuite(project, 'in-process')
    await shop.run('cert', 'localhost', '--out', 'certs')
    const pem = (name: string) => readFileSync(join(shop.folder, 'certs', name), 'utf8')
    // This receiver accepts all requests, and its URL contains no token.
    const receiver = await shop.receiver({ cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') })
    pageConfig = findBlock('hookbench.config.mjs')
      .text.replace(/'https:.*\/notifications\/.*'/, `'${receiver.url}'`)
      .replace('https://localhost:9443/effects/', effects.url)
      .replace('export default {', `export default { port: 0, data: '${places.data}',`)
  }, 600_000)

  afterAll(async () => {
    for (const each of opened.toReversed()) await each.close()
  })

  const writeConfig = (more: object) =>
    project.write(
      'hookbench.config.mjs',
      pageConfig.replace('export default {', `export default { ...${JSON.stringify(more)},`),
    )

  test.each(FRAMEWORKS)('$name reports passes, known failures and unobservable checks', async (each) => {
    project.write(each.file, findBlock(each.file).text)
    writeConfig({
      ...(WITH_TIMEOUT.has(each.name) && { windowMs: LONG_WINDOW_MS }),
      knownFailures: ['registration/unguessable-url'],
      checks: [
        'registration/accepts-test-post',
        'registration/test-post-without-effect',
        'registration/unguessable-url',
        'trust/unlisted-source',
        'body/other-content-types',
      ],
    })

    const { code, printed } = await project.run(lineOf(each))

    expect(printed).toContain(`${each.pass}registration/accepts-test-post: `)
    expect(printed).toContain(`${each.pass}registration/test-post-without-effect: `)
    expect(printed).toMatch(each.skip)
    expect(printed).toMatch(each.known)
    expect(printed).toMatch(each.late)
    expect(code).toBe(0)
  })

  test.each(FRAMEWORKS)('$name fails with a full report, and when a known failure passes', async (each) => {
    project.write(each.file, findBlock(each.file).text)
    writeConfig({
      failOn: 'should',
      knownFailures: ['registration/accepts-test-post'],
      checks: ['registration/unguessable-url', 'registration/accepts-test-post'],
    })

    const { code, printed } = await project.run(lineOf(each))

    expect(code).not.toBe(0)
    expect(printed).toMatch(/Meaning +\S/)
    expect(printed).toContain(each.repeat)
    expect(printed).toContain(
      'registration/accepts-test-post is known to fail, but passes. Remove it from knownFailures',
    )
  })

  test.each(REALMS)('an in-process sandbox works in the JavaScript realm of %s', async (command) => {
    const { code, printed } = await project.run(`cd in-process && ${command}`)

    expect(printed).toMatch(new RegExp(`Test (Files|Suites):? .*\\b${suiteFiles} passed`))
    expect([code, suiteFiles]).toEqual([0, expect.toSatisfy((count: number) => count >= 7)])
  })

  test('a Jest test starts the receiver through process.start', async () => {
    const port = await freePort()
    project.write('listener.mjs', LISTENER)
    project.write('receiver.jest.test.mjs', findBlock('receiver.jest.test.mjs').text)
    const config = {
      port: 0,
      data: places.data,
      receiver: {
        url: `https://localhost:${port}/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f`,
      },
      process: {
        start: `node listener.mjs '${places.certs}' ${port} > listener.log 2>&1 & echo $! > listener.pid`,
        stop: 'kill -9 $(cat listener.pid)',
      },
      checks: ['registration/accepts-test-post'],
    }
    project.write('hookbench.config.mjs', `export default ${JSON.stringify(config)}`)

    const { code, printed } = await project.run(`${commandFor('receiver.jest.test.mjs')} --verbose`)
    await project.run(config.process.stop)

    expect(printed).toContain('✓ registration/accepts-test-post: ')
    expect(code).toBe(0)
  })
})

function lineOf({ file, flags = '' }: Framework): string {
  return `${commandFor(file)} ${flags}`.replace(/receiver\.jest /, `${file} `)
}
