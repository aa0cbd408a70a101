import type { Job } from '../reference-model.ts'
import { hasFailedSync, type History } from '../world/history.ts'

type Start = Job['starts'][number]

/** Whether the start before was kept though the disk had failed whoever waited for it: nothing was sent then, and the attempt began again. */
export function isRepeatedStart(start: Start, before: Start | undefined, history: History): boolean {
  return (
    before !== undefined &&
    before.head.number === start.head.number &&
    hasFailedSync(history, { from: before.tick, to: start.tick })
  )
}
