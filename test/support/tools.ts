import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { postgresPath } from './postgres.ts'

export const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion'

/**
 * Tools that some tests need besides npm, git and a POSIX shell. The key is the tag of these tests: `{ tags: 'strace' }`, or
 * `@module-tag` for a file. Each function returns the reason if the tool is missing.
 */
export const TOOLS: Readonly<Record<string, () => string | undefined>> = {
  bash: () => findMissing('bash'),
  'bash-completion': () => unlessFound('bash-completion', existsSync(BASH_COMPLETION)),
  chromium: () => unlessFound('chromium', chromiumPath !== undefined),
  curl: () => findMissing('curl'),
  'default-jdk-headless': () => findMissing('javac', 'default-jdk-headless'),
  fish: () => findMissing('fish'),
  'golang-go': () => findMissing('go', 'golang-go'),
  'machine-root': () =>
    needsRoot() ?? findMissing('chroot', 'coreutils') ?? findMissing('ldd', 'libc-bin') ?? needsNamespaces(),
  namespaces: () => needsRoot() ?? needsNamespaces(),
  pgbouncer: () => whyMissing('postgresql') ?? findMissing('pgbouncer'),
  postgresql: () => unlessFound('postgresql', postgresPath !== undefined),
  python3: () => findMissing('python3'),
  'small-disk': () =>
    needsRoot() ??
    findMissing('mount') ??
    refusal('mount a disk', ['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']),
  strace: () =>
    findMissing('strace') ?? refusal('trace a process (ptrace)', ['strace', '-o', '/dev/null', 'true']),
  terminal: () => findMissing('script', 'bsdutils'),
  zsh: () => findMissing('zsh'),
}

const reasons = new Map<string, string | undefined>()

/**
 * Returns why a tool is missing and which package contains the tool, such as "fish is missing (apt-get install fish)". Checks
 * each tool once per process.
 */
export function whyMissing(name: string): string | undefined {
  if (!reasons.has(name)) reasons.set(name, TOOLS[name]?.())
  return reasons.get(name)
}

function findMissing(program: string, debianPackage = program): string | undefined {
  return unlessFound(debianPackage, spawnSync('sh', ['-c', `command -v ${program}`]).status === 0)
}

function unlessFound(debianPackage: string, isFound: boolean): string | undefined {
  return isFound ? undefined : `${debianPackage} is missing (apt-get install ${debianPackage})`
}

function needsRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'the tests take root on Linux'
}

function needsNamespaces(): string | undefined {
  return (
    findMissing('unshare', 'util-linux') ??
    findMissing('mount') ??
    findMissing('ip', 'iproute2') ??
    findMissing('curl') ??
    refusal('make namespaces', ['unshare', '--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'])
  )
}

/** Returns the system's error if this user lacks the permission. */
function refusal(action: string, [name = '', ...args]: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync(name, args, { encoding: 'utf8' })
  return status === 0
    ? undefined
    : `this machine does not let this user ${action}: ${stderr.trim().split('\n')[0]}`
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of Chromium. Undefined if this machine has no Chromium. */
export const chromiumPath = process.env['HOOKBENCH_CHROMIUM'] ?? PLACES.find((path) => existsSync(path))
