import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { DEFAULT_DATA_FOLDER } from '../engine/core/command-line.ts'
import { openDataFolder, readCaCertificate } from '../adapters/data-folder.ts'
import type { Certificate } from '../../spec/generated/control-types.ts'
import { connect, print, type SandboxFlags } from './sandbox-flags.ts'
import { UsageError } from './failure.ts'
import { describeFileError, makeFolder } from '../adapters/files.ts'
import { withManual } from './manual.ts'

interface CertFlags extends SandboxFlags {
  readonly out: string
  readonly withCa?: boolean
}

export function certCommand(): Command {
  return withManual(new Command('cert'), {
    about: [
      'The sandbox trusts the local CA for deliveries. Other programs trust the CA only if you configure them.',
      'With HOOKBENCH_URL, the running sandbox at that address issues the certificate, and the command also writes ca.crt.pem.',
    ],
    examples: [
      ['cert localhost', 'write localhost.crt.pem and localhost.key.pem to this folder'],
      ['cert receiver.test 127.0.0.1 --out certificates', 'use two names and another folder'],
    ],
    exitCodes: { 4: 'the CA in the data folder is damaged' },
    seeAlso: ['register', 'up'],
  })
    .description('issue a certificate of the local CA for a receiver')
    .argument('<hosts...>', 'host names or addresses (the first name becomes the file name)')
    .option('--out <dir>', 'folder for HOST.crt.pem and HOST.key.pem', '.')
    .option('--with-ca', 'also write the certificate of the CA as ca.crt.pem, for other programs')
    .addOption(new Option('--data <dir>', 'data folder with the CA').default(DEFAULT_DATA_FOLDER))
    .option('--json', 'print the answer as JSON')
    .action(async (hosts: string[], flags: CertFlags) => {
      const [name = '', ...others] = hosts
      const bad = hosts.find((host) => !/^[\w.:-]+$/.test(host) || host.startsWith('-'))
      if (bad !== undefined)
        throw new UsageError(
          `Cannot issue a certificate for "${bad}": the name must be a host name or an address`,
        )
      const issued = await (isElsewhere() ? issueThere([name, ...others], flags) : issueHere(hosts, flags))
      const paths = {
        certificate: join(flags.out, `${name}.crt.pem`),
        key: join(flags.out, `${name}.key.pem`),
        ca: (flags.withCa !== true && issued.caPath) || join(flags.out, 'ca.crt.pem'),
        ca_is_new: issued.isNew,
      }
      const copies = paths.ca === issued.caPath ? {} : { [paths.ca]: issued.ca }
      writeFiles(flags.out, { [paths.certificate]: issued.certificate, ...copies }, [
        paths.key,
        issued.private_key,
      ])
      const lines = [
        `certificate  ${paths.certificate}`,
        `private key  ${paths.key}`,
        `CA           ${paths.ca}`,
        ...(issued.isNew
          ? ['', `A new CA was created. Only a sandbox on data folder "${flags.data}" trusts this CA`]
          : []),
      ]
      print(paths, lines.join('\n'), flags)
    })
}

interface Issued extends Certificate {
  readonly isNew: boolean
  readonly caPath?: string
}

const isElsewhere = () => Boolean(process.env['HOOKBENCH_URL'])

/** Requests the certificate from the sandbox at HOOKBENCH_URL, for developers who cannot access its data folder. */
async function issueThere(hosts: [string, ...string[]], flags: SandboxFlags): Promise<Issued> {
  return { ...(await connect(flags)('issueCertificate', { body: { hosts } })), isNew: false }
}

async function issueHere(hosts: readonly string[], { data }: SandboxFlags): Promise<Issued> {
  const { openCertificateAuthority } = await import('../adapters/certificate-authority.ts')
  const folder = openDataFolder(data)
  const isNew = readCaCertificate(folder) === undefined
  const ca = await openCertificateAuthority(folder.caFolder)
  const { certificatePem: certificate, privateKeyPem: private_key } = await ca.issue(hosts)
  return { certificate, private_key, ca: ca.certificatePem, isNew, caPath: ca.certificatePath }
}

function writeFiles(
  folder: string,
  certificates: Readonly<Record<string, string>>,
  [key, privateKeyPem]: readonly [path: string, pem: string],
): void {
  try {
    makeFolder(folder)
    for (const [path, pem] of Object.entries(certificates)) writeFileSync(path, pem)
    writeFileSync(key, privateKeyPem, { mode: 0o600 })
  } catch (cause) {
    const problem = `Cannot write the certificate to "${folder}": ${describeFileError(cause)}`
    throw new UsageError(`${problem}. Give another folder with --out`, { cause })
  }
}
