import { readingValues } from '../../../spec/readings.ts'
import { refuseField } from '../../engine/core/api-error.ts'
import { parseTimestamp, timestamp } from '../../engine/core/timestamp.ts'
import type { View } from '../../engine/state/view.ts'
import { performFirst, reply, type Decision, type Reply } from '../operations/operation.ts'
import type { ControlActions, ControlContext, ControlOperation } from './operation.ts'

export const getHistory: ControlOperation<'getHistory'> = ({ query }, { clock, view, history }) => {
  const { entries, begins_at, calls_since, instants } = history()
  const now = Math.max(clock.now(), view.latestAt())
  return reply(200, {
    begins_at: timestamp(begins_at ?? now),
    ends_at: timestamp(now),
    entries,
    calls_since: calls_since === null ? null : timestamp(calls_since),
    instants: instants(query.steps).map(timestamp),
  })
}

/** Wraps an operation, so that it reads the world as it was at the query parameter `at`. Defaults to the current world. */
export function readPastOrPresent<Input extends { readonly query: { readonly at?: string } }, Body>(
  operation: (input: Input, context: ControlContext) => Reply<Body>,
): (input: Input, context: ControlContext) => Decision<Body, ControlActions> {
  return (input, context) => {
    const { at, ...query } = input.query
    if (at === undefined) return operation(input, context)
    const instant = parsePast(at, context)
    return performFirst(
      // The view is valid only during this call, so the reply must be complete when the call ends.
      () =>
        context.readPastOrPresent(instant, (view) =>
          operation({ ...input, query }, toPast(context, view, instant)),
        ),
      (decided) => decided,
    )
  }
}

function parsePast(at: string, { clock, view }: ControlContext): number {
  const instant = parseTimestamp(at)
  if (instant === undefined)
    refuseField(
      'at',
      `Cannot look back to "${at}": the value must be an instant such as 2026-01-01T07:05:00.000Z`,
    )
  const now = Math.max(clock.now(), view.latestAt())
  if (instant > now)
    refuseField('at', `Cannot look back to "${at}": the clock shows the earlier time ${timestamp(now)}`)
  return instant
}

function toPast(context: ControlContext, view: View, instant: number): ControlContext {
  const chosen = { ...context.givenReadings, ...view.readings() }
  const values = readingValues(chosen)
  return {
    ...context,
    view,
    now: () => instant,
    readings: () => values,
    chosenReadings: () => chosen,
    requests: () => context.requests().filter(({ at }) => Date.parse(at) <= instant),
  }
}
