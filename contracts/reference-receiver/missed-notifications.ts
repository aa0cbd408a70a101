import {
  interpretBody,
  isNotifiedType,
  isRecord,
  isString,
  readField,
  type Notification,
} from './notification.ts'
import type { Processor } from './processor.ts'
import type { ServiceClient } from './service-client.ts'

/** What the service could not deliver: what its failed jobs would have notified. Rejects if it cannot be asked now. */
export type ListMissed = () => Promise<readonly Notification[]>

export function createListMissed(service: ServiceClient): ListMissed {
  async function readPages(path: string, key: string): Promise<readonly object[]> {
    const rows: object[] = []
    for (;;) {
      const separator = path.includes('?') ? '&' : '?'
      const result = await service.show(`${path}${separator}limit=${PAGE}&offset=${rows.length}`)
      if (result.kind !== 'shown') throw new Error(`Cannot list ${path}: the service does not show it now`)
      const page = isRecord(result.body) ? readField(result.body, key) : undefined
      const fresh = Array.isArray(page) ? page.filter(isRecord) : []
      rows.push(...fresh)
      if (fresh.length < PAGE) return rows
    }
  }

  return async () => {
    const missed: Notification[] = []
    for (const webhook of await readPages('/webhooks', 'webhooks')) {
      const [uuid, type] = [readField(webhook, 'uuid'), readField(webhook, 'object_type')]
      if (!isString(uuid) || !isString(type) || !isNotifiedType(type)) continue
      const jobs = await readPages(`/webhooks/${encodeURIComponent(uuid)}/jobs?status=failed`, 'jobs')
      for (const job of jobs) {
        const payload = readField(job, 'payload')
        const meaning = interpretBody(payload, type)
        if (meaning.kind === 'notification')
          missed.push({ type, id: meaning.id, generation: 'webhooks', body: JSON.stringify(payload) })
      }
    }
    return missed
  }
}

/** As if it had been notified of all of it now. */
export async function takeUpMissed(
  listMissed: ListMissed,
  { accept }: Pick<Processor, 'accept'>,
): Promise<void> {
  for (const notification of await listMissed()) accept(notification)
}

/** The most that the service puts on one page; without a limit it is ten. */
const PAGE = 200
