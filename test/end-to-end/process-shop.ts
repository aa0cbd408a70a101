import { join } from 'node:path'
import { expect } from 'vitest'
import { findControlAddress } from '../../sandbox/client/control-address.ts'
import { createControlClient } from '../../sandbox/client/control-client.ts'
import type { Perform } from '../../sandbox/compose/perform.ts'
import { useWorkshop } from '../support/workshop.ts'

/** Opens a test folder with helpers that call the control API of the running sandbox. */
export function useProcessShop(...options: Parameters<typeof useWorkshop>) {
  const shop = useWorkshop(...options)
  // The sandbox gets a new address at each start, so each call looks up the address again.
  const perform: Perform = (id, ...input) =>
    createControlClient(findControlAddress(join(shop.folder, '.hookbench'), {}))(id, ...input)
  return {
    ...shop,
    perform,
    async register(url: string): Promise<void> {
      const { code, stderr } = await shop.run('register', url, '--type', 'items')
      expect([code, stderr]).toEqual([0, ''])
    },
    async create(count: number): Promise<void> {
      const create = () => perform('createObject', { path: { type: 'items' }, body: {} })
      await Promise.all(Array.from({ length: count }, create))
    },
    /** Resolves when no delivery is due or in flight. */
    async settle(): Promise<void> {
      expect(await perform('settle', { body: { timeout_ms: 600_000 } })).toMatchObject({ settled: true })
    },
    /** Returns the outcomes of all attempts by job, oldest job first. */
    async ends(): Promise<readonly (readonly (number | string | null)[])[]> {
      const { jobs } = await perform('listJobs', { query: { limit: 200 } })
      const ends: (number | string | null)[][] = []
      for (const { id } of jobs) {
        const { attempts } = await perform('getJob', { path: { id } })
        ends.push(attempts.map(({ status, reason }) => status ?? reason))
      }
      return ends
    },
  }
}
