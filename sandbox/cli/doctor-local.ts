import { X509Certificate } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '../engine/core/command-line.ts'
import { MARKER, readCaCertificate } from '../adapters/data-folder.ts'
import { adviseOnLeftWorlds } from '../adapters/kept-world-place.ts'
import { fine, problem, warning, type Finding } from './finding.ts'

/** The files of the data folder that contain secrets. Only the owner may read these files. */
const PRIVATE = ['.', 'token', 'token-key', 'run.json', 'ca/ca.key.pem']

const DAY_MS = 86_400_000
const SOON_DAYS = 30

export function localFindings(folder: string, now: number): Finding[] {
  // Node's version needs no check here, because the launcher already rejects unsupported versions.
  const node = fine('node', `Node ${process.versions.node}`)
  if (!existsSync(folder)) {
    const message = `Data folder "${folder}" does not exist yet`
    const remedy = `create the folder with "${commandLine('up', folder)}", or name another folder with --data`
    return [node, warning('data-folder', message, remedy)]
  }
  const left = adviseOnLeftWorlds(folder).map(({ message, remedy }) => warning('world', message, remedy))
  return [node, ...folderFindings(folder), ...left, caFinding(folder, now)]
}

function folderFindings(folder: string): Finding[] {
  const about = 'data-folder'
  if (!statSync(folder).isDirectory()) {
    return [problem(about, `Data folder "${folder}" is a file`, 'give another folder with --data')]
  }
  if (!readdirSync(folder).includes(MARKER)) {
    const message = `Data folder "${folder}" belongs to another program`
    return [problem(about, message, 'give another folder, or the folder of the running sandbox, with --data')]
  }
  const open = PRIVATE.filter((name) => isOpen(join(folder, name)))
  if (open.length === 0) return [fine(about, `Data folder "${folder}" is accessible only to its owner`)]
  const paths = open.map((name) => `"${join(folder, name)}"`).join(' ')
  const message = `Data folder "${folder}" is open to other users: ${open.join(', ')}`
  return [problem(about, message, `remove the rights of other users: chmod go-rwx ${paths}`)]
}

function isOpen(path: string): boolean {
  // Skips this check on Windows, which has no POSIX permissions.
  return process.platform !== 'win32' && existsSync(path) && (statSync(path).mode & 0o077) !== 0
}

function caFinding(folder: string, now: number): Finding {
  const about = 'ca'
  const pem = readCaCertificate({ path: folder })
  if (pem === undefined) {
    const remedy = `create the CA with "${commandLine('cert localhost', folder)}", which also issues a certificate for your receiver`
    return warning(about, 'No local CA exists yet', remedy)
  }
  return certificateFinding(pem, join(folder, 'ca'), now)
}

export function certificateFinding(pem: string, folder: string, now: number): Finding {
  const about = 'ca'
  const remedy = `delete ca.crt.pem and ca.key.pem in "${folder}" to make a new CA, and issue your certificates again`
  const certificate = readCertificate(pem)
  if (certificate === undefined) return problem(about, 'The certificate of the local CA is damaged', remedy)
  const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY_MS)
  const until = new Date(certificate.validTo).toISOString().slice(0, 10)
  if (days < 0) return problem(about, `The local CA has expired on ${until}`, remedy)
  if (days < SOON_DAYS) return warning(about, `The local CA expires on ${until}, in ${days} days`, remedy)
  return fine(about, `The local CA is valid until ${until}`)
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
