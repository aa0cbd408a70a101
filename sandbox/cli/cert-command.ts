import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { DEFAULT_DATA_FOLDER, openDataFolder } from '../adapters/data-folder.ts'
import { print, type BenchFlags } from './bench-options.ts'
import { UsageError } from './failure.ts'

interface CertFlags extends BenchFlags {
  readonly out: string
}

export function certCommand(): Command {
  return new Command('cert')
    .description('issue a certificate of the local CA for a receiver')
    .argument('<hosts...>', 'host names or addresses; the first one names the files')
    .option('--out <dir>', 'where HOST.crt.pem and HOST.key.pem go', '.')
    .addOption(new Option('--data <dir>', 'data folder with the CA').default(DEFAULT_DATA_FOLDER))
    .option('--json', 'the answer as JSON')
    .action(async (hosts: string[], flags: CertFlags) => {
      const [name = ''] = hosts
      const bad = hosts.find((host) => !/^[\w.:-]+$/.test(host) || host.startsWith('-'))
      if (bad !== undefined)
        throw new UsageError(`Cannot issue for "${bad}": it takes host names or addresses`)
      const { openCertificateAuthority } = await import('../adapters/certificate-authority.ts')
      const ca = await openCertificateAuthority(openDataFolder(flags.data).caFolder)
      const leaf = await ca.issue(hosts)
      const files = { certificate: `${name}.crt.pem`, key: `${name}.key.pem` }
      mkdirSync(flags.out, { recursive: true })
      const paths = {
        certificate: join(flags.out, files.certificate),
        key: join(flags.out, files.key),
        ca: ca.certificatePath,
      }
      writeFileSync(paths.certificate, leaf.certificatePem)
      writeFileSync(paths.key, leaf.privateKeyPem, { mode: 0o600 })
      const lines = [
        `certificate  ${paths.certificate}`,
        `private key  ${paths.key}`,
        `CA           ${paths.ca}`,
      ]
      print(paths, lines.join('\n'), flags)
    })
}
