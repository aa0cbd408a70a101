import { retryingAfter, type Defect } from './defect.ts'

/** Defects of receivers that call a failing service too often or too soon. */
export const retryDefects: readonly Defect[] = [
  {
    name: 'gives-up-after-three-calls',
    about: 'It asks three times, and drops the notification if the service still fails.',
    check: 'trust/failing-for-a-while',
    parts: () => retryingAfter(undefined, (_, attempts) => attempts >= 2),
  },
  {
    name: 'asks-again-at-once',
    about: 'It asks again without any wait while the service fails.',
    check: 'trust/waits-between-calls',
    parts: () => retryingAfter(0, (shown) => shown.kind === 'unavailable' && shown.retryAfterMs === 0),
  },
]
