import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ciFiles, openCiJob } from '../support/ci-job.ts'

// Validates the workflows of the CI page and runs its GitLab job. The first argument is the folder of the tools.

const ROOT = new URL('../..', import.meta.url).pathname
const [tools = ''] = process.argv.slice(2)
const WORKFLOW = '.github/workflows/receiver.yml'

/** The parser imports JSON in a form that Node does not support, so the parser is bundled first. */
const VALIDATE = `
import { readFileSync } from 'node:fs'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
const content = readFileSync(0, 'utf8')
const { context } = parseWorkflow({ name: 'workflow', content }, new NoOperationTraceWriter())
console.log(context.errors.getErrors().map(({ message }) => message).join('\\n'))
`

function readWorkflows(): void {
  writeFileSync(join(tools, 'validate.mjs'), VALIDATE)
  const bundled = join(tools, 'bundled.mjs')
  execFileSync('rolldown', ['validate.mjs', '--format', 'esm', '--platform', 'node', '--file', bundled], {
    cwd: tools,
    stdio: 'pipe',
  })
  const problemsOf = (input: string) => execFileSync('node', [bundled], { input, encoding: 'utf8' }).trim()
  const written = globSync('.github/workflows/*.yml', { cwd: ROOT })
  const workflows = [
    ...ciFiles(WORKFLOW).map(({ text }) => text),
    ...written.map((file) => readFileSync(join(ROOT, file), 'utf8')),
  ]
  const problems = workflows.map(problemsOf).filter((found) => found !== '')
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (problemsOf('on: push\njobs: { a: { steps: [{ rum: x }] } }') === '')
    throw new Error('Anything is taken for a workflow')
}

async function runGitlabJob(): Promise<void> {
  const job = await openCiJob(['registration/accepts-test-post', 'transport/trusted-chain'])
  try {
    const { text } = ciFiles('.gitlab-ci.yml')[0]
    // The job runs in the shell of this machine instead of a container.
    const { image: _, ...receiver } = parse(text).receiver
    writeFileSync(join(job.folder, '.gitlab-ci.yml'), job.adapt(JSON.stringify({ receiver })))
    writeFileSync(join(job.folder, 'checked.yml'), text)
    const git = (...words: readonly string[]) =>
      execFileSync('git', words, { cwd: job.folder, env: job.env, stdio: 'pipe' })
    git('init', '--quiet')
    git('remote', 'add', 'origin', 'https://git.example/platform/receiver.git')
    git(
      '-c',
      'user.name=ci',
      '-c',
      'user.email=ci@git.example',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    )
    const program = join(tools, 'node_modules/gitlab-ci-local/dist/index.js')
    const run = (...words: readonly string[]) =>
      spawnSync('node', [program, '--no-artifacts-to-source', ...words], {
        cwd: job.folder,
        env: job.env,
        encoding: 'utf8',
      })
    const listed = run('--file', 'checked.yml', '--list')
    const { status, stdout, stderr } = run('--force-shell-executor', 'receiver')
    if (listed.status !== 0 || status !== 0 || !stdout.includes('Nothing failed'))
      throw new Error(`${listed.stdout}${listed.stderr}${stdout}${stderr}`)
  } finally {
    job.close()
  }
}

readWorkflows()
await runGitlabJob()
