import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServeOptions } from '../../sandbox/compose/serve-options.ts'
import { serveSandbox, type ServedSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { rawCall } from './raw-call.ts'

/** A sandbox on two ports whose store is a file in a temporary folder, with a clock that is moved by hand. */
export interface StoredSandbox extends ServedSandbox {
  /** What it reported as failed, one line each. */
  readonly errors: string[]
  /** An access token of the service. */
  grant(): Promise<string>
  /** Closes the sandbox and removes its folder. */
  close(): Promise<void>
}

export async function openStoredSandbox(options: Partial<ServeOptions> = {}): Promise<StoredSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-stored-'))
  const errors: string[] = []
  const remove = () => rmSync(folder, { recursive: true })
  const opening = serveSandbox({
    caFolder: join(folder, 'ca'),
    storePath: join(folder, 'store.sqlite'),
    port: 0,
    benchPort: 0,
    speed: 0,
    allowTargets: [],
    settings: defaultSettings,
    onError: (where, error) => errors.push(`${where}: ${String(error)}`),
    ...options,
  })
  opening.catch(remove)
  const sandbox = await opening
  return {
    ...sandbox,
    errors,
    async grant() {
      const { client_id, client_secret } = defaultSettings.credentials
      const fields = { grant_type: 'client_credentials', scope: 'x', client_id, client_secret }
      const query = new URLSearchParams(fields).toString()
      return (await rawCall(sandbox.serviceUrl, { path: `/tokens?${query}`, ca: sandbox.ca.certificatePem }))
        .body.access_token
    },
    async close() {
      await sandbox.close()
      remove()
    },
  }
}
