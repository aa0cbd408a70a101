import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder, readBenchToken } from '../../../sandbox/adapters/data-folder.ts'
import type { JobPage, JobSummary } from '../../../spec/generated/control-types.ts'
import type { TestCertificate } from '../../support/certificates.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/hookbench.js', import.meta.url))

/** The program as its users start it, and its control API. */
export interface SoakedSandbox {
  readonly pid: number
  /** For localhost, of the CA that it trusts. */
  readonly certificate: TestCertificate
  /** Throws for an answer that is no success. */
  control<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Registers a receiver as its platform does. */
  register(generation: 'webhooks' | 'callbacks', registration: Registration): Promise<void>
  /** All of them, oldest first. */
  jobs(): Promise<readonly JobSummary[]>
  /** The exit code. */
  end(): Promise<number | null>
}

interface Registration {
  readonly object_type: string
  readonly url: string
}

interface Ready {
  readonly bench_url: string
  readonly service_url: string
}

interface Call {
  readonly method: string
  readonly bearer: string
  readonly body: unknown
}

export async function startSandbox(folder: string): Promise<SoakedSandbox> {
  const data = join(folder, 'data')
  const args = ['up', '--json', '--port', '0', '--bench-port', '0', '--data', data]
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line')
  process.once('exit', () => child.kill('SIGKILL'))
  // Nobody reads on: the lines are let go by.
  child.stdout.resume()
  const { bench_url, service_url } = JSON.parse(line ?? '') as Ready
  const authority = await openCertificateAuthority(openDataFolder(data).caFolder)
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue(['localhost'])
  const token = readBenchToken({ path: data }) ?? ''
  const agent = new Agent({ keepAlive: true })

  async function call<Answer>(url: string, given: Call): Promise<Answer> {
    const { method, bearer, body } = given
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const sent = request(url, { method, headers, agent })
    // What fails before the answer rejects below. A connection that is cut while the answer is read has no other listener.
    sent.on('error', () => {})
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    try {
      const [response] = await once(sent, 'response')
      const answer = await text(response)
      if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${answer}`)
      return JSON.parse(answer) as Answer
    } catch (error) {
      // The connection was closed while it was idle. What was changed already is not changed again by the same values.
      if (sent.reusedSocket && Reflect.get(Object(error), 'code') === 'ECONNRESET') return call(url, given)
      throw error
    }
  }

  const control = <Answer>(method: string, path: string, body?: unknown) =>
    call<Answer>(`${bench_url}/control${path}`, { method, bearer: token, body })

  return {
    pid: child.pid ?? 0,
    certificate: { cert, key },
    control,
    async register(generation, registration) {
      const client = { client_id: 'sandbox', client_secret: 'sandbox-secret' }
      const body = { grant_type: 'client_credentials', ...client }
      const issued = await call<{ readonly access_token: string }>(`${service_url}/tokens`, {
        method: 'POST',
        bearer: '',
        body,
      })
      await call(`${service_url}/${generation}`, {
        method: 'POST',
        bearer: issued.access_token,
        body: registration,
      })
    },
    async jobs() {
      const all: JobSummary[] = []
      for (let cursor: string | null = '0'; cursor !== null;) {
        const page: JobPage = await control<JobPage>('GET', `/jobs?limit=200&cursor=${cursor}`)
        all.push(...page.jobs)
        cursor = page.next_cursor
      }
      return all
    },
    async end() {
      agent.destroy()
      if (child.exitCode !== null) return child.exitCode
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}
