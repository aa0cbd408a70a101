import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { EXIT } from '../../sandbox/cli/failure.ts'
import { validateConfig } from '../../sandbox/cli/config.ts'
import { checkCommand } from '../../contracts/cli/check-command.ts'
import { action } from '../support/action-runner.ts'
import { ciFiles, ciScript } from '../support/ci-job.ts'

// What the page has typed is run in `end-to-end/ci-page.test.ts`; tools of others read its files in `npm run test:tools`.

const WORKFLOW = '.github/workflows/receiver.yml'
const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
const { files, exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const lines = (script: string) => script.trim().split('\n')

test('GitLab, Jenkins and any shell are told the same lines, and a workflow with its own reports', () => {
  const plain = lines(ciScript('check.sh'))

  expect(lines(ciScript('.gitlab-ci.yml'))).toEqual(plain)
  expect(lines(ciScript('Jenkinsfile'))).toEqual(plain)
  expect(lines(ciScript(WORKFLOW))).toEqual([
    ...plain.slice(0, -1),
    `${plain.at(-1)} --annotations - --markdown "$GITHUB_STEP_SUMMARY"`,
  ])
})

test('the workflow with the action gives it inputs that it has', () => {
  const { jobs } = parse(ciFiles(WORKFLOW)[0].text)
  const { uses, with: given } = jobs.receiver.steps.at(-1)

  expect(uses).toMatch(/^hookbench\/hookbench@v\d/)
  expect(Object.keys(given).filter((name) => !(name in action.inputs))).toEqual([])
})

test('each CI keeps the reports that the check writes', () => {
  const { receiver } = parse(ciFiles('.gitlab-ci.yml')[0].text)
  const { jobs } = parse(ciFiles(WORKFLOW).at(-1)?.text ?? '')
  const [jenkins] = ciFiles('Jenkinsfile')

  expect(receiver.artifacts).toEqual({
    when: 'always',
    reports: { junit: 'hookbench.xml' },
    paths: ['hookbench.html', 'receiver.log'],
  })
  expect(lines(jobs.receiver.steps.at(-1).with.path)).toEqual([
    'hookbench.html',
    'hookbench.xml',
    'receiver.log',
  ])
  expect(jenkins.text.split('{').length).toBe(jenkins.text.split('}').length)
  expect(jenkins.text).toContain("junit 'hookbench.xml'")
  expect(jenkins.text).toContain("archiveArtifacts artifacts: 'hookbench.html, receiver.log'")
})

test('the configuration of the page is one, and its schema is where the package has it', () => {
  const { $schema, ...config } = JSON.parse(ciFiles('hookbench.config.json')[0].text)
  const path = $schema.replace('./node_modules/hookbench/', '')

  expect(validateConfig({ $schema, ...config }).problems).toEqual([])
  expect(exports['./config.schema.json']).toBe(`./${path}`)
  expect(files).toContain(path)
})

test('the check command has each option that the page lists', () => {
  const known = new Set(checkCommand().options.map(({ long }) => String(long)))
  const named = [...read('guides/ci.md').matchAll(/`(--[a-z-]+)[ `]/g)].map(([, flag]) => flag)

  expect(named.length).toBeGreaterThan(6)
  expect(named.filter((flag) => !known.has(String(flag)))).toEqual([])
})

test('the page of exit codes lists the codes of all commands, and those of the check command', () => {
  const [all, check] = read('reference/exit-codes.md').split('## The check command')
  const codes = (text = '') => [...text.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code))

  expect(codes(all)).toEqual(Object.values(EXIT))
  expect(codes(check)).toEqual([EXIT.fine, EXIT.failed, EXIT.misused, EXIT.unreachable])
})
