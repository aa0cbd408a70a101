import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { addDevices } from './clean-root.ts'
import { run } from './installed-package.ts'

/** What Debian's small image leaves out. */
const LEFT_OUT = /^\/usr\/share\/(doc|man|locale|info|lintian)\//
const MERGED = /^\/(bin|sbin|lib|lib32|lib64|libx32)(?=\/|$)/

/**
 * Puts into an empty folder what Debian's small image has, out of the packages of this machine: those that are essential or required, apt, and
 * what they depend on. apt finds packages of this machine in it in place of a mirror: `offered`.
 */
export function fillDebianRoot(root: string, offered: readonly string[]): void {
  chmodSync(root, 0o755)
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true })
    symlinkSync(`usr/${name}`, join(root, name))
  }
  const packages = closureOfBase()
  copyFiles(filesOf(packages), root)
  addStatus(packages, root)
  addUsers(root)
  addDevices(root)
  for (const folder of ['proc', 'sys', 'root', 'usr/local/bin', 'var/tmp'])
    mkdirSync(join(root, folder), { recursive: true })
  run('chroot', [root, 'ldconfig'], '/')
  offerPackages(offered, root)
}

/** Takes out what stood for a mirror, which no image has. */
export function removeMirror(root: string): void {
  rmSync(join(root, 'mirror'), { recursive: true })
}

interface DebianPackage {
  readonly isBase: boolean
  /** Of each relation, what meets it. */
  readonly needs: readonly (readonly string[])[]
}

function closureOfBase(): readonly string[] {
  const format =
    '${Package}\\t${Essential}\\t${Priority}\\t${Pre-Depends},${Depends}\\t${Provides}\\t${db:Status-Status}\\n'
  const byName = new Map<string, DebianPackage>()
  const provider = new Map<string, string>()
  for (const row of run('dpkg-query', ['-W', '-f', format], '/').trim().split('\n')) {
    const [name = '', essential, priority, needs = '', provides = '', status] = row.split('\t')
    if (status !== 'installed') continue
    const isBase = essential === 'yes' || priority === 'required' || name === 'apt'
    byName.set(name, { isBase, needs: alternativesIn(needs) })
    for (const [provided = ''] of alternativesIn(provides)) provider.set(provided, name)
  }
  const chosen = new Set<string>()
  const visit = (name: string): void => {
    if (chosen.has(name)) return
    chosen.add(name)
    for (const alternatives of byName.get(name)?.needs ?? []) {
      const installed = alternatives.map((each) => (byName.has(each) ? each : provider.get(each)))
      const first = installed.find((each) => each !== undefined)
      if (first !== undefined) visit(first)
    }
  }
  for (const [name, { isBase }] of byName) if (isBase) visit(name)
  return [...chosen]
}

function alternativesIn(relations: string): readonly (readonly string[])[] {
  return relations
    .split(',')
    .map((relation) =>
      relation.split('|').flatMap((each) => /^\s*([a-z\d][a-z\d.+-]+)/.exec(each)?.[1] ?? []),
    )
}

function filesOf(packages: readonly string[]): readonly string[] {
  const listed = run('dpkg-query', ['-L', ...packages], '/').split('\n')
  const paths = listed.filter((path) => path.startsWith('/') && path !== '/.' && !LEFT_OUT.test(path))
  return [...new Set(paths.filter((path) => existsHere(path)).map((path) => path.replace(MERGED, '/usr/$1')))]
}

function existsHere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function copyFiles(paths: readonly string[], root: string): void {
  const input = paths.map((path) => `${path.slice(1)}\n`).join('')
  const list = join(root, 'files')
  writeFileSync(list, input)
  run('sh', ['-c', `tar -C / -cf - --no-recursion -T files | tar -C . -xf -`], root)
  rmSync(list)
}

/** What dpkg knows of them, so that apt can add others. */
function addStatus(packages: readonly string[], root: string): void {
  const names = new Set(packages)
  const paragraphs = readFileSync('/var/lib/dpkg/status', 'utf8')
    .split('\n\n')
    .filter((text) => names.has(/^Package: (.*)$/m.exec(text)?.[1] ?? ''))
  mkdirSync(join(root, 'var/lib/dpkg/info'), { recursive: true })
  writeFileSync(join(root, 'var/lib/dpkg/status'), `${paragraphs.join('\n\n')}\n`)
  for (const name of names) {
    for (const file of [`${name}.list`, `${name}:${debianArchitecture()}.list`]) {
      const path = `/var/lib/dpkg/info/${file}`
      if (existsSync(path)) cpSync(path, join(root, path))
    }
  }
  writeFileSync(join(root, 'var/lib/dpkg/info/format'), '1\n')
}

function addUsers(root: string): void {
  const passwd = readFileSync('/usr/share/base-passwd/passwd.master', 'utf8')
  const group = readFileSync('/usr/share/base-passwd/group.master', 'utf8')
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc/passwd'), `${passwd}_apt:x:100:65534::/nonexistent:/usr/sbin/nologin\n`)
  writeFileSync(join(root, 'etc/group'), group)
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
}

/** Packs packages of this machine anew, from the files that they have here, for apt to take. */
function offerPackages(names: readonly string[], root: string): void {
  const mirror = join(root, 'mirror')
  mkdirSync(mirror)
  const index = names.map((name) => {
    const built = join(mirror, name)
    mkdirSync(join(built, 'DEBIAN'), { recursive: true })
    const control = run('dpkg-query', ['-s', name], '/')
      .split('\n')
      .filter((line) => !/^(Status|Conffiles):|^$/.test(line))
      .join('\n')
    writeFileSync(join(built, 'DEBIAN/control'), `${control}\n`)
    copyFiles(
      run('dpkg-query', ['-L', name], '/')
        .split('\n')
        .filter((path) => path.startsWith('/') && path !== '/.' && !LEFT_OUT.test(path) && existsHere(path)),
      built,
    )
    run('dpkg-deb', ['--build', built], mirror)
    rmSync(built, { recursive: true })
    const file = `${built}.deb`
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    return `${control}\nFilename: ./${basename(file)}\nSize: ${statSync(file).size}\nSHA256: ${hash}\n`
  })
  writeFileSync(join(mirror, 'Packages'), index.join('\n'))
  rmSync(join(root, 'etc/apt/sources.list.d'), { recursive: true, force: true })
  writeFileSync(join(root, 'etc/apt/sources.list'), 'deb [trusted=yes] file:/mirror ./\n')
}

function debianArchitecture(): string {
  const { stdout } = spawnSync('dpkg', ['--print-architecture'], { encoding: 'utf8' })
  return stdout.trim()
}
