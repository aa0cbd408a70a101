import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chromiumPath } from './chromium-path.ts'
import { postgresPath } from './postgres-path.ts'

/** A program or right that some tests take besides npm, git and a POSIX shell. */
interface Tool {
  /** The reason why the tool cannot be used on this machine; undefined if it can. */
  readonly whyMissing: () => string | undefined
}

export const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion'

/** The optional tools by the tag of the tests that take them: `test(name, { tags: 'strace' }, …)`, or `@module-tag` for a file. */
export const TOOLS = {
  bash: program('bash'),
  'bash-completion': { whyMissing: () => unlessFound('bash-completion', existsSync(BASH_COMPLETION)) },
  chromium: { whyMissing: () => unlessFound('chromium', chromiumPath !== undefined) },
  curl: program('curl'),
  faketime: { whyMissing: () => unlessFound('faketime', findFakeTime() !== undefined) },
  fish: program('fish'),
  'machine-root': {
    whyMissing: () =>
      needsRoot() ??
      firstMissing(
        ['chroot', 'coreutils'],
        ['dpkg', 'dpkg'],
        ['ldd', 'libc-bin'],
        ['/usr/bin/python3', 'python3'],
      ) ??
      needsNamespaces(),
  },
  namespaces: { whyMissing: () => needsRoot() ?? needsNamespaces() },
  postgresql: { whyMissing: () => unlessFound('postgresql', postgresPath !== undefined) },
  'small-disk': {
    whyMissing: () =>
      needsRoot() ??
      firstMissing(['mount', 'mount']) ??
      refusal('mount a disk', ['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']),
  },
  strace: {
    whyMissing: () =>
      firstMissing(['strace', 'strace']) ??
      refusal('trace a process (ptrace)', ['strace', '-o', '/dev/null', 'true']),
  },
  taskset: program('taskset', 'util-linux'),
  terminal: program('script', 'bsdutils'),
  zsh: program('zsh'),
} satisfies Readonly<Record<string, Tool>>

const found = new Map<string, string | undefined>()

/** Why a tool is missing, and what to install: "fish is missing (apt-get install fish)". Looks once for each process. */
export function whyMissing(name: string): string | undefined {
  if (!found.has(name))
    found.set(
      name,
      Object.entries(TOOLS)
        .find(([tag]) => tag === name)?.[1]
        .whyMissing(),
    )
  return found.get(name)
}

/** The path of Debian's libfaketime, which shows a process another time; undefined if it is not installed. */
export function findFakeTime(): string | undefined {
  return globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]
}

function program(name: string, debianPackage = name): Tool {
  return { whyMissing: () => firstMissing([name, debianPackage]) }
}

function firstMissing(...needed: readonly (readonly [program: string, debianPackage: string])[]) {
  const isThere = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  const missing = needed.find(([name]) => !isThere(name))
  return missing && unlessFound(missing[1], false)
}

function unlessFound(debianPackage: string, isFound: boolean): string | undefined {
  return isFound ? undefined : `${debianPackage} is missing (apt-get install ${debianPackage})`
}

function needsRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'the tests take root on Linux'
}

function needsNamespaces(): string | undefined {
  return (
    firstMissing(['unshare', 'util-linux'], ['mount', 'mount'], ['ip', 'iproute2'], ['curl', 'curl']) ??
    refusal('make namespaces', ['unshare', '--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'])
  )
}

/** The system's own words if it does not let this user do that. */
function refusal(action: string, [name = '', ...args]: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync(name, args, { encoding: 'utf8' })
  return status === 0
    ? undefined
    : `this machine does not let this user ${action}: ${stderr.trim().split('\n')[0]}`
}
