import { reply } from '../operations/operation.ts'
import { VERSION } from '../../engine/core/version.ts'
import { shownClock } from './clock.ts'
import type { ControlOperation } from './operation.ts'

export const getHealth: ControlOperation<'getHealth'> = (_, { clock, serviceUrl }) => {
  const shown = shownClock(clock)
  return reply(200, {
    status: 'ready',
    service_url: serviceUrl(),
    version: VERSION,
    now: shown.now,
    clock: shown,
  })
}
