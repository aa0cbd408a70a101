import type {
  AdvanceRequest,
  Clock as ShownClock,
  ClockRequest,
} from '../../../spec/generated/control-types.ts'
import { parseDuration } from '../../../spec/readings.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { performFirst, reply } from '../operations/operation.ts'
import type { Clock } from '../../engine/core/ports.ts'
import { instantOf, LATEST } from './instants.ts'
import type { ControlOperation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const getClock: ControlOperation<'getClock'> = (_, { clock }) => reply(200, shownClock(clock))

export const advanceClock: ControlOperation<'advanceClock'> = ({ body }, { clock }) => {
  const to = advanceTarget(body, clock.now())
  return performFirst(
    (actions) => actions.advance(to),
    (attempts) => reply(200, { now: timestamp(clock.now()), attempts }),
  )
}

/** It goes on from where it stands: a clock never goes back. */
export const setClock: ControlOperation<'setClock'> = ({ body }, { clock }) => {
  const speed = speedOf(body, clock.speed)
  return performFirst(
    (actions) => actions.setSpeed(speed),
    () => reply(200, shownClock(clock)),
  )
}

/** Ours: five minutes of the service's time in each second, in which its first retry comes. */
const COMPRESSED = 300

/** Sandbox seconds per real second. Throws ApiError `invalid` where the mode has another speed. */
function speedOf({ mode, speed }: ClockRequest, present: number): number {
  if (mode === undefined && speed === undefined)
    refuse('mode', 'Cannot set the clock: give "mode", "speed" or both')
  if (mode === undefined) return speed ?? present
  const fitting = { real: 1, manual: 0, compressed: speed ?? COMPRESSED }[mode]
  if (speed !== undefined && speed !== fitting)
    refuse('speed', `Cannot set the clock to ${mode} at speed ${speed}: its speed is ${fitting}`)
  if (mode === 'compressed' && (fitting === 0 || fitting === 1))
    refuse(
      'speed',
      `Cannot set the clock to compressed at speed ${fitting}: that is ${fitting === 0 ? 'manual' : 'real'}`,
    )
  return fitting
}

function refuse(field: string, message: string): never {
  throw new ApiError('invalid', { field, message })
}

export function shownClock(clock: Clock): ShownClock {
  return { mode: clock.mode, speed: clock.speed, now: timestamp(clock.now()) }
}

/** The instant that `{by}` or `{to}` means. Throws ApiError `invalid` with the field and the remedy. */
export function advanceTarget({ by, to }: AdvanceRequest, now: number): number {
  if ((by === undefined) === (to === undefined)) {
    throw new ApiError('invalid', { field: 'by', message: 'Cannot advance: give one of "by" and "to"' })
  }
  const target = by === undefined ? instantOf(to ?? '') : now + durationOf(by)
  if (target > LATEST) {
    const message = `Cannot advance by "${by ?? to}": the last instant is ${timestamp(LATEST)}`
    throw new ApiError('invalid', { field: by === undefined ? 'to' : 'by', message })
  }
  if (target < now) {
    const message = `Cannot advance to "${to}": the clock shows ${timestamp(now)} and never goes back`
    throw new ApiError('invalid', { field: 'to', message })
  }
  return target
}

function durationOf(text: string): number {
  const durationMs = parseDuration(text)
  if (durationMs !== undefined) return durationMs
  const message = `Cannot advance by "${text}": it takes a duration such as 25m, 1h45m or 200ms`
  throw new ApiError('invalid', { field: 'by', message })
}
