import type * as Api from '../../../spec/generated/control-types.ts'
import { parseDuration } from '../../../spec/readings.ts'
import { refuseField } from '../../engine/core/api-error.ts'
import { performFirst, reply } from '../operations/operation.ts'
import type { Clock } from '../../engine/core/ports.ts'
import type { ControlOperation } from './operation.ts'
import { LATEST_NOW, parseTimestamp, timestamp } from '../../engine/core/timestamp.ts'

export const getClock: ControlOperation<'getClock'> = (_, { clock }) => reply(200, toClock(clock))

export const advanceClock: ControlOperation<'advanceClock'> = ({ body }, { clock }) => {
  const to = findTarget(body, clock.now())
  return performFirst(
    (actions) => actions.advance(to, body.by === undefined ? 'instant' : 'step'),
    (attempts) => reply(200, { now: timestamp(clock.now()), attempts }),
  )
}

export const setClock: ControlOperation<'setClock'> = ({ body }, { clock }) => {
  const speed = chooseSpeed(body, clock.speed)
  return performFirst(
    (actions) => actions.setSpeed(speed),
    () => reply(200, toClock(clock)),
  )
}

/** The default speed: five minutes pass per second, so the first retry comes after a second. Our choice. */
const COMPRESSED = 300

function chooseSpeed({ mode, speed }: Api.ClockRequest, present: number): number {
  if (mode === undefined && speed === undefined)
    refuseField('mode', 'Cannot set the clock: give "mode", "speed" or both')
  if (mode === undefined) return speed ?? present
  const fitting = { real: 1, manual: 0, compressed: speed ?? COMPRESSED }[mode]
  if (speed !== undefined && speed !== fitting)
    refuseField(
      'speed',
      `Cannot set the clock to ${mode} at speed ${speed}: the speed of this mode is ${fitting}`,
    )
  if (mode === 'compressed' && (fitting === 0 || fitting === 1))
    refuseField(
      'speed',
      `Cannot set a compressed clock to speed ${fitting}: use the mode ${fitting === 0 ? 'manual' : 'real'}`,
    )
  return fitting
}

export function toClock(clock: Clock): Api.Clock {
  return { mode: clock.mode, speed: clock.speed, now: timestamp(clock.now()) }
}

function findTarget({ by, to }: Api.AdvanceRequest, now: number): number {
  if ((by === undefined) === (to === undefined))
    refuseField('by', 'Cannot advance: give one of "by" and "to"')
  const asked = by === undefined ? `to "${to}"` : `by "${by}"`
  const field = by === undefined ? 'to' : 'by'
  const duration = by === undefined ? undefined : parseDuration(by)
  const target = duration === undefined ? parseTimestamp(to ?? '') : now + duration
  const takes =
    by === undefined
      ? 'an instant such as 2026-01-01T07:05:00.000Z'
      : 'a duration such as 25m, 1h45m or 200ms'
  if (target === undefined) refuseField(field, `Cannot advance ${asked}: the value must be ${takes}`)
  if (target > LATEST_NOW)
    refuseField(field, `Cannot advance ${asked}: the clock stops at ${timestamp(LATEST_NOW)}`)
  if (target < now)
    refuseField(field, `Cannot advance ${asked}: the clock shows ${timestamp(now)} and never goes back`)
  return target
}
