import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { JobDetail, JobPage, Settled } from '../../spec/generated/control-types.ts'
import { openWorkshop, type Receiver, type Up } from '../support/program.ts'

/** A sandbox process and a receiver. Tests use the control API of the process. */
export interface ProcessShop {
  readonly folder: string
  up(...args: readonly string[]): Promise<Up>
  readonly run: ReturnType<typeof openWorkshop>['run']
  /** Starts a receiver with a trusted certificate. Call this function after the first `up`. */
  receiver(): Promise<Receiver>
  control<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  register(url: string, objectType?: string): Promise<void>
  create(count: number): Promise<void>
  /** Resolves when no delivery is due or in flight. */
  settle(): Promise<void>
  /** Returns the outcomes of all attempts by job, oldest job first. */
  ends(): Promise<readonly (readonly (number | string | null)[])[]>
  close(): void
}

export function openProcessShop(...options: Parameters<typeof openWorkshop>): ProcessShop {
  const shop = openWorkshop(...options)
  let benchUrl = ''
  let token = ''

  async function control<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${benchUrl}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer as Answer
  }

  return {
    folder: shop.folder,
    run: shop.run,
    async up(...args) {
      const up = await shop.up(...args)
      benchUrl = String(up.ready['bench_url'])
      token = readFileSync(join(shop.folder, '.hookbench', 'token'), 'utf8').trim()
      return up
    },
    receiver: () => shop.receiver(),
    control,
    async register(url, objectType = 'items') {
      const { code, stderr } = await shop.run('register', url, '--type', objectType)
      expect([code, stderr]).toEqual([0, ''])
    },
    async create(count) {
      await Promise.all(Array.from({ length: count }, () => control('POST', '/objects/items', {})))
    },
    async settle() {
      const { settled } = await control<Settled>('POST', '/settle', { timeout_ms: 600_000 })
      expect(settled).toBe(true)
    },
    async ends() {
      const { jobs } = await control<JobPage>('GET', '/jobs?limit=200')
      const ends: (number | string | null)[][] = []
      for (const { id } of jobs) {
        const { attempts } = await control<JobDetail>('GET', `/jobs/${id}`)
        ends.push(attempts.map(({ status, reason }) => status ?? reason))
      }
      return ends
    },
    close: shop.close,
  }
}
