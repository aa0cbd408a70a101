import { spawnSync } from 'node:child_process'

const NEEDED: Readonly<Record<string, string>> = {
  chroot: 'coreutils',
  dpkg: 'dpkg',
  ip: 'iproute2',
  ldd: 'libc-bin',
  mount: 'mount',
  nsenter: 'util-linux',
  '/usr/bin/python3': 'python3',
  tar: 'tar',
  unshare: 'util-linux',
}

/** Why no machine can be made within this one; undefined if one can. Throws in CI, where it must be possible. */
export function whyNoChroot(): string | undefined {
  const why = findReason()
  if (why === undefined) return undefined
  const line = `Cannot try the single file on a machine of its own: ${why}`
  if (process.env['CI']) throw new Error(line)
  console.log(`Skipped: ${line}`)
  return why
}

function findReason(): string | undefined {
  if (process.platform !== 'linux') return 'it takes Linux'
  if (process.getuid?.() !== 0) return 'it takes root'
  const missing = Object.entries(NEEDED).flatMap(([program, name]) =>
    spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? [] : [name],
  )
  if (missing.length > 0) return `install ${[...new Set(missing)].join(' ')}`
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', 'true'], { encoding: 'utf8' })
  return status === 0 ? undefined : `it takes namespaces: ${stderr.trim()}`
}
