import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { PAGE_TESTS, readPageCode, SESSION } from '../support/pages.ts'
import { SECTIONS } from '../../docs/.vitepress/navigation.ts'
import { slugify } from '../../docs/.vitepress/markdown.ts'
import { jsonReport } from '../../contracts/report/json.ts'
import { REPORT_OPTIONS, wholeRun } from '../contracts/support/run-results.ts'
import { EXIT } from '../../sandbox/cli/failure.ts'
import { validateConfig } from '../../sandbox/cli/config.ts'
import { checkCommand } from '../../contracts/cli/check-command.ts'
import { action, ciFiles, ciScript } from '../support/ci-job.ts'
import { listTryOperations, toCurlLine } from '../../docs/.vitepress/theme/control-operations.ts'
import { catalogue } from '../../contracts/catalogue.ts'

const ROOT = new URL('../../', import.meta.url)

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

const pages = globSync(['README.md', 'docs/**/*.md'], {
  cwd: ROOT.pathname,
  exclude: ['docs/internals/*'],
}).toSorted()

const blocks = pages.flatMap((page) =>
  readPageCode(new URL(page, ROOT)).map((block) => ({ ...block, page, place: `${page}:${block.line}` })),
)

test('each code block of each documentation page declares its language', () => {
  expect(blocks.filter(({ language }) => language === '').map(({ place }) => place)).toEqual([])
})

test('the navigation lists each documentation page and nothing else', () => {
  const listed = SECTIONS.flatMap(([, of]) => of.map(([, path]) => `docs/${path}.md`))

  expect([...listed, 'docs/index.md'].toSorted()).toEqual(
    pages.filter((page) => page.startsWith('docs/')).toSorted(),
  )
})

test('each documentation page with code has a test that runs the code', () => {
  const withCode = new Set(blocks.filter(({ notRun }) => notRun === undefined).map(({ page }) => page))

  expect(Object.keys(PAGE_TESTS).toSorted()).toEqual([...withCode].toSorted())
})

const others = Object.entries(PAGE_TESTS).filter(([, file]) => file !== SESSION)

test.each(others)('the page %s is named in the test file %s, which runs its code', (page, file) => {
  const name = page.split('/').at(-1) ?? page

  expect([file, ...importsOf(file)].some((path) => read(path).includes(name))).toBe(true)
})

test('every internal link of a page has a target', () => {
  const anchors = new Map(pages.map((page) => [page, anchorsOf(read(page))]))
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*\.md)?(?:#([^)]+))?\)/g)].map(([, path, anchor]) => ({
      page,
      target:
        path === undefined ? page : new URL(path, new URL(page, ROOT)).pathname.slice(ROOT.pathname.length),
      anchor,
    })),
  )

  expect(links.length).toBeGreaterThan(100)
  expect(
    links.filter(({ target, anchor }) => anchor !== undefined && anchors.get(target)?.has(anchor) !== true),
  ).toEqual([])
})

function importsOf(file: string): readonly string[] {
  const paths = [...read(file).matchAll(/ from '(\.[^']+)'/g)].map(
    ([, path = '']) => new URL(path, new URL(file, ROOT)),
  )
  return paths.map(({ pathname }) => pathname.slice(ROOT.pathname.length))
}

function anchorsOf(markdown: string): ReadonlySet<string> {
  const included = [...markdown.matchAll(/<!--@include: (?:\.\.\/)*(\S+?)\{/g)].map(([, path = '']) =>
    read(path),
  )
  const headings = [markdown, ...included].flatMap((text) => [...text.matchAll(/^#{1,6} (.+)$/gm)])
  return new Set(headings.map(([, heading = '']) => slugify(heading)))
}

const AGENTS = read('docs/guides/coding-agents.md')

const report = JSON.parse(jsonReport(wholeRun(), REPORT_OPTIONS))

test.each([
  [['failures', 'checks', 'summary'], report],
  [['check', 'others', 'unjudged'], report.failures[0]],
  [['id', 'expected', 'actual', 'exchanges', 'repeat'], report.checks[0]],
  [['not_observable'], report.summary],
])('a report contains %j, as the guide for coding agents states', (names, part) => {
  expect(names.filter((name) => !(name in part) || !new RegExp(`\\b${name}[.\`]`).test(AGENTS))).toEqual([])
})

// `end-to-end/ci-page.test.ts` runs the commands of the CI page. `npm run test:tools` tests the page's files with third-party
// tools.

const WORKFLOW = '.github/workflows/receiver.yml'

const { files, exports } = JSON.parse(read('package.json'))

const lines = (script: string) => script.trim().split('\n')

test('the GitLab, Jenkins and shell examples use the same commands, and the GitHub workflow adds its own reports', () => {
  const plain = lines(ciScript('check.sh'))

  expect(lines(ciScript('.gitlab-ci.yml'))).toEqual(plain)
  expect(lines(ciScript('Jenkinsfile'))).toEqual(plain)
  expect(lines(ciScript(WORKFLOW))).toEqual([
    ...plain.slice(0, -1),
    `${plain.at(-1)} --annotations - --markdown "$GITHUB_STEP_SUMMARY"`,
  ])
})

test('the workflow uses existing inputs of the action', () => {
  const { jobs } = parse(ciFiles(WORKFLOW)[0].text)
  const { uses, with: given } = jobs.receiver.steps.at(-1)

  expect(uses).toMatch(/^hookbench\/hookbench@v\d/)
  expect(Object.keys(given).filter((name) => !(name in action.inputs))).toEqual([])
})

test('the configuration on the CI page is valid, and its schema is in the package', () => {
  const { $schema, ...config } = JSON.parse(ciFiles('hookbench.config.json')[0].text)
  const path = $schema.replace('./node_modules/hookbench/', '')

  expect(validateConfig({ $schema, ...config }).problems).toEqual([])
  expect(exports['./config.schema.json']).toBe(`./${path}`)
  expect(files).toContain(path)
})

test('the check command accepts each option that the documentation lists', () => {
  const known = new Set(checkCommand().options.map(({ long }) => String(long)))
  const named = [...read('docs/guides/ci.md').matchAll(/`(--[a-z-]+)[ `]/g)].map(([, flag]) => flag)

  expect(named.length).toBeGreaterThan(6)
  expect(named.filter((flag) => !known.has(String(flag)))).toEqual([])
})

test('the exit-codes page lists the codes of all commands and of the check command', () => {
  const [all, check] = read('docs/reference/exit-codes.md').split('## The check command')
  const codes = (text = '') => [...text.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code))

  expect(codes(all)).toEqual(Object.values(EXIT))
  expect(codes(check)).toEqual([EXIT.fine, EXIT.failed, EXIT.misused, EXIT.unreachable])
})

const document = JSON.parse(read('spec/generated/control.json'))

const operations = listTryOperations(document)

const lineOf = (id: string, changes: object = {}) => {
  const operation = operations.find((one) => one.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  const { parts, body = '' } = operation
  return toCurlLine(operation, { bench: 'http://127.0.0.1:4011/', parts, query: {}, body, ...changes })
}

test('each control API operation with a body has an example', () => {
  expect(operations.length).toBeGreaterThan(50)
  expect(operations.filter(({ body }) => body === '{}').map(({ id }) => id)).toEqual([])
})

test('the curl line of an operation contains the path, the query and the token', () => {
  expect(lineOf('getObject', { parts: { type: 'items', id: 'a/b' }, query: { at: '', limit: '2' } })).toBe(
    `curl -sS 'http://127.0.0.1:4011/control/objects/items/a%2Fb?limit=2' -H "authorization: Bearer $(cat .hookbench/token)"`,
  )
})

test('the curl line of an operation passes the body unchanged', () => {
  expect(lineOf('createObject', { body: `{"name": "O'Hara $(id)"}` })).toBe(
    String.raw`curl -sS -X POST http://127.0.0.1:4011/control/objects/items -H "authorization: Bearer $(cat .hookbench/token)" -H 'content-type: application/json' -d '{"name": "O'\''Hara $(id)"}'`,
  )
})

// `two-machines.test.ts` runs the commands of the listening page on two machines.

test('the configuration on the listening page is valid', () => {
  const code = readPageCode(new URL('../../docs/guides/listening.md', import.meta.url))
  const block = code.find(({ file }) => file === 'hookbench.config.yaml')
  const config = { listen: '0.0.0.0', allowedHosts: ['hookbench'], allowTargets: ['receiver'] }

  expect(validateConfig(Object(parse(block?.text ?? '')))).toEqual({ config, problems: [] })
})

const linked = (page: string) =>
  new Set([...read(page).matchAll(/checks\.md#([a-z]+\/[a-z-]+)\)/g)].map(([, id = '']) => id))

test('the page about good receivers covers each required check', () => {
  const points = linked('docs/how-a-good-receiver-works.md')
  const musts = catalogue.filter(({ severity }) => severity === 'must').map(({ id }) => id)

  expect(musts.filter((id) => !points.has(id))).toEqual([])
})

test('every configuration key is on the configuration page', () => {
  const { properties, $defs } = JSON.parse(read('spec/generated/config.schema.json'))
  const page = read('docs/reference/configuration.md')
  const keys = [...Object.keys(properties), ...Object.keys($defs['ServiceCredentials'].properties)]

  expect(
    keys.filter((key) => !new RegExp(`[\`.{ ]${key.replace('$', String.raw`\$`)}\\b`).test(page)),
  ).toEqual([])
})
