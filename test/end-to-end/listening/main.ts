import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPageCode } from '../../support/pages.ts'
import { openWorkshop } from '../../support/program.ts'

// This program runs in its own network and mount namespaces. `two-machines.test.ts` starts the program.

const HERE = '10.66.0.1'
const THERE = '10.66.0.2'

const PAGE = readPageCode(new URL('../../../docs/guides/listening.md', import.meta.url))
const blockUnder = (title: string) =>
  PAGE.find(({ heading, language }) => heading === title && language === 'sh')?.text ?? ''
const commandsUnder = (title: string) =>
  [...blockUnder(title).matchAll(/^npx hookbench (.+)$/gm)].map(([, words = '']) => words.split(' '))

function variablesUnder(title: string): Readonly<Record<string, string>> {
  const names = new Set([...blockUnder(title).matchAll(/^export (\w+)=/gm)].map(([, name = '']) => name))
  const script = `${blockUnder(title).replaceAll(/^npx .*$/gm, '')}\nenv`
  const printed = execFileSync('sh', ['-ec', script], { encoding: 'utf8' })
  const all = printed.split('\n').map((line) => line.split('='))
  return Object.fromEntries(
    all.flatMap(([name = '', value = '']) => (names.has(name) ? [[name, value]] : [])),
  )
}

const OWN = variablesUnder('Make the secrets')
const { HOOKBENCH_TOKEN: TOKEN = '' } = OWN

const RECEIVER = `
  const { readFileSync } = require('node:fs')
  const [cert, key] = ['crt', 'key'].map((name) => readFileSync('certs/receiver.' + name + '.pem'))
  const { createServer } = require('node:https')
  createServer({ cert, key }, (call, answer) => {
    call.on('data', (data) => console.log(String(data)))
    call.on('end', () => answer.writeHead(200).end())
  }).listen(9443, '${THERE}', () => console.log('listening'))
`

/** Starts the second machine: a network namespace with a waiting process. */
async function joinOther(): Promise<{ readonly through: readonly string[]; end(): void }> {
  const child = spawn('unshare', ['--net', 'sh', '-c', 'echo ready; exec sleep 3600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const through = ['nsenter', '--target', String(child.pid), '--net']
  const [command = '', ...words] = through
  const run = (...given: readonly string[]) => execFileSync('ip', given, { stdio: 'pipe' })
  run('link', 'set', 'lo', 'up')
  run('link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v1')
  run('link', 'set', 'v1', 'netns', String(child.pid))
  run('addr', 'add', `${HERE}/24`, 'dev', 'v0')
  run('link', 'set', 'v0', 'up')
  const setUp = `ip link set lo up; ip addr add ${THERE}/24 dev v1; ip link set v1 up`
  execFileSync(command, [...words, 'sh', '-ec', setUp], { stdio: 'pipe' })
  return { through, end: () => child.kill('SIGKILL') }
}

function nameMachines(folder: string): void {
  const path = join(folder, 'hosts')
  writeFileSync(path, `127.0.0.1 localhost\n${HERE} hookbench\n${THERE} receiver\n`)
  execFileSync('mount', ['--bind', path, '/etc/hosts'], { stdio: 'pipe' })
}

const other = await joinOther()
const here = openWorkshop(OWN)
const CA = join(here.folder, 'certs/ca.crt.pem')
const { HOOKBENCH_CA: _, ...named } = variablesUnder('Call the sandbox from another machine')
const there = openWorkshop({ ...OWN, ...named, HOOKBENCH_CA: CA }, other.through)
const received: string[] = []

function curl(...words: readonly string[]): string {
  const [command = '', ...rest] = other.through
  const given = [
    ...rest,
    'curl',
    '--silent',
    '--output',
    '/dev/null',
    '--write-out',
    '%{http_code}',
    '--max-time',
    '20',
  ]
  return spawnSync(command, [...given, ...words], { encoding: 'utf8' }).stdout
}

async function startReceiver() {
  const [command = '', ...rest] = other.through
  const child = spawn(command, [...rest, process.execPath, '-e', RECEIVER], {
    cwd: here.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (data) => received.push(String(data)))
  await once(child.stdout, 'data')
  return child
}

async function runPage() {
  const outcomes = []
  for (const words of commandsUnder('Call the sandbox from another machine'))
    outcomes.push(briefly(await there.run(...words)))
  const { text = '' } = PAGE.find(({ text: line }) => line.startsWith('curl ')) ?? {}
  const [command = '', ...through] = other.through
  const { status: code, stdout } = spawnSync(command, [...through, 'sh', '-ec', text], {
    cwd: here.folder,
    env: { ...process.env, ...OWN },
    encoding: 'utf8',
  })
  return [...outcomes, { code, said: stdout }]
}

const briefly = ({ code, stdout, stderr }: Awaited<ReturnType<typeof here.run>>) => ({
  code,
  said: `${stdout}${stderr}`,
})

try {
  nameMachines(here.folder)
  for (const words of commandsUnder('Make the certificates')) await here.run(...words)
  const receiver = await startReceiver()
  const ports = ['--port', '4010', '--bench-port', '4011', '--memory']
  const [[, ...open] = []] = commandsUnder('Start the sandbox')
  const onLoopback = await here.up(...ports)
  const outcomes: Record<string, unknown> = { loopbackOnly: curl('http://hookbench:4011/control/health') }
  await onLoopback.end('SIGTERM')
  const up = await here.up(...ports, ...open, '--allow-target', 'hookbench')
  Object.assign(outcomes, {
    ready: up.ready,
    byAddress: curl('--insecure', '--oauth2-bearer', TOKEN, `https://${HERE}:4011/control/health`),
    untrusted: curl('https://hookbench:4011/control/health'),
    here: briefly(await here.run('ready')),
    itself: briefly(await there.run('register', 'https://hookbench:4010/items', '--type', 'users')),
    page: await runPage(),
    event: briefly(await there.run('events', '--since', '0', '--type', 'attempt', '--count', '1')),
    checkedHere: briefly(await here.run('check', 'transport/trusted-chain', '--attach')),
    down: briefly(await here.run('down')),
    received,
  })
  receiver.kill('SIGKILL')
  process.stdout.write(JSON.stringify(outcomes))
} finally {
  other.end()
  for (const each of [here, there]) await each.close()
}
