import type { ObjectRef } from '../finding.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import type { Activity } from './activity.ts'
import type { EffectDelay, EffectTimes } from './effect-delay.ts'
import type { ExchangeLog } from './run-result.ts'
import type { Service } from './service.ts'
import type { CallWatch, EffectWatch } from '../toolkit/check-context.ts'
import type { Profile } from '../toolkit/options.ts'
import type { EffectProbe, EffectState } from '../toolkit/ports.ts'
import type { RequestPage, RequestRecord } from '../../spec/generated/control-types.ts'

export interface WatchPorts extends Stopwatch {
  readonly profile: Pick<Profile, 'callsBack'>
  readonly log: ExchangeLog
  readonly activity: Activity
  readonly delay: EffectDelay
  readonly times: EffectTimes
}

const POLL_MS = 20
/** The minimum number of polls. On a busy machine, time alone does not show that the receiver had a chance to act. */
const MIN_LOOKS = 5
/** The polling interval of a long wait, in milliseconds. Frequent polls would slow down a receiver on the same machine. */
const SELDOM_POLL_MS = 100
/** The polling interval as a share of the time waited so far. */
const POLL_SHARE = 0.1
/** The maximum length of a pause that counts as waiting, as a multiple of its planned length. A busy machine prolongs pauses. */
const MAX_PAUSES = 2
/** The maximum duration of a read that counts towards the wait, in milliseconds. If the effects page is slow, the receiver is also slow. */
const MAX_LOOK_MS = 200
/** The maximum wait for the next call, as a multiple of the longest gap between earlier calls. */
const MAX_GAPS = 3

interface Wish<Seen> {
  readonly isSo: (seen: Seen) => boolean
  /** The time without activity after which the receiver counts as idle, in milliseconds. */
  readonly restMs: number | ((seen: Seen) => number)
  /** Returns a value that changes with any receiver activity. */
  readonly markOf: (seen: Seen) => string | number
  readonly pollMs?: number
}

type UntilPorts = Pick<WatchPorts, 'elapsed' | 'pause' | 'activity' | 'delay'>

async function until<Seen>(
  look: () => Promise<Seen>,
  { isSo, restMs, markOf, pollMs = POLL_MS }: Wish<Seen>,
  { elapsed, pause, activity, delay }: UntilPorts,
): Promise<Seen> {
  const waitMs = delay.waitMs()
  const mostMs = delay.mostMs(typeof restMs === 'number' ? restMs : undefined)
  let rest = { mark: '', ms: 0, looks: 0 }
  let [spentMs, speed] = [0, 1]
  for (;;) {
    const lookedAt = elapsed()
    const { count, isCalling, isBehind } = await activity.look()
    const seen = await look()
    if (isSo(seen)) return seen
    const mark = `${count} ${markOf(seen)}`
    const lookMs = Math.min(elapsed() - lookedAt, MAX_LOOK_MS) * speed
    spentMs += lookMs
    rest =
      mark === rest.mark ? { mark, ms: rest.ms + lookMs, looks: rest.looks + 1 } : { mark, ms: 0, looks: 1 }
    const leastMs = typeof restMs === 'number' ? restMs : restMs(seen)
    const enoughMs = isBehind ? Math.max(leastMs, waitMs) : leastMs
    const isAtRest = !isCalling && rest.looks >= MIN_LOOKS && rest.ms >= enoughMs
    if (isAtRest && isBehind) activity.giveUp()
    if (!isAtRest && spentMs >= mostMs) delay.noteRestless()
    if (isAtRest || spentMs >= mostMs) return seen
    const pausedAt = elapsed()
    const plannedMs = Math.max(pollMs, Math.min(SELDOM_POLL_MS, POLL_SHARE * spentMs))
    await pause(plannedMs)
    const pausedMs = elapsed() - pausedAt
    speed = Math.min(1, (MAX_PAUSES * plannedMs) / pausedMs)
    rest.ms += pausedMs * speed
    spentMs += pausedMs * speed
  }
}

export async function untilAtRest(ports: UntilPorts, restMs = ports.delay.windowMs()): Promise<void> {
  const wish = { isSo: () => false, restMs, markOf: () => '' }
  await until(() => Promise.resolve(), wish, ports)
}

const markOfEffects = ({ effects, state }: EffectState) => `${effects} ${state}`

const hasAtLeast = (count: number) => (seen: EffectState) => seen.effects >= count

export function createEffectWatch(probe: EffectProbe | undefined, ports: WatchPorts): EffectWatch {
  const { log, delay, times } = ports
  async function look({ type, id }: ObjectRef): Promise<EffectState> {
    if (!probe) throw new RangeError('Cannot read effects: the configuration has no "effects"')
    const seen = await probe(type, id)
    if (seen.effects > 0) delay.noteEffect(type)
    return seen
  }
  function noteEffects({ type, id }: ObjectRef, seen: EffectState): EffectState {
    log.add({ kind: 'effects', target: { type, id }, seen })
    return seen
  }
  /** Waits until `isReached` returns true, then for repeated effects while `isKept` returns true. */
  async function waitFor(
    target: ObjectRef,
    isReached: (seen: EffectState) => boolean,
    isKept: (seen: EffectState) => boolean = () => false,
  ): Promise<EffectState> {
    const tell = times.watch(target)
    const lookOnce = async () => {
      const seen = await look(target)
      tell(seen.effects)
      return seen
    }
    const due = { isSo: isReached, restMs: delay.waitMs(target.type), markOf: markOfEffects }
    const seen = await until(lookOnce, due, ports)
    const isLost = (now: EffectState) => !isKept(now)
    const kept = { isSo: isLost, restMs: delay.windowMs(), markOf: markOfEffects }
    return noteEffects(target, isLost(seen) ? seen : await until(lookOnce, kept, ports))
  }
  /** Waits for an effect state. Records the type if the expected effect did not appear. */
  async function counted({ type }: ObjectRef, count: number, wait: Promise<EffectState>) {
    const seen = await wait
    if (count > 0 && seen.effects === 0) delay.noteInVain(type)
    return seen
  }
  const isIn = (state: string) => (now: EffectState) => now.state === state
  return {
    observable: probe !== undefined,
    read: async (target) => noteEffects(target, await look(target)),
    settle(target, effects) {
      const isKept = (now: EffectState) => now.effects === effects
      return counted(target, effects, waitFor(target, hasAtLeast(effects), isKept))
    },
    settleState: (target, state) => waitFor(target, isIn(state), isIn(state)),
    reach: (target, effects) => counted(target, effects, waitFor(target, hasAtLeast(effects))),
    reachState: (target, state) => waitFor(target, isIn(state)),
    delay: delay.seen,
  }
}

export interface CallPorts extends WatchPorts {
  readonly service: Pick<Service, 'perform'>
  /** Returns true if any check has created an object with this id. */
  readonly isKnown: (id: string) => boolean
}

export function createCallWatch(ports: CallPorts): CallWatch {
  const { profile, service, isKnown, delay } = ports
  const markOf = ({ length }: readonly RequestRecord[]) => length
  const about = ({ type, id }: ObjectRef) => listCalls(service, { object_type: type, object_id: id })
  return {
    observable: profile.callsBack,
    about,
    settle: (target) =>
      until(() => about(target), { isSo: ({ length }) => length > 0, restMs: delay.waitMs(), markOf }, ports),
    settleAtMost(target, most) {
      // A slow receiver may need as much time for its next call as for its earlier calls.
      const restMs = (calls: readonly RequestRecord[]) =>
        Math.min(delay.waitMs(), Math.max(delay.windowMs(), MAX_GAPS * longestGapMs(calls)))
      return until(() => about(target), { isSo: ({ length }) => length > most, restMs, markOf }, ports)
    },
    outlast(target, most) {
      const restMs = ({ length }: readonly RequestRecord[]) =>
        length === 0 ? delay.windowMs() : delay.waitMs()
      const isSo = ({ length }: readonly RequestRecord[]) => length > most
      return until(() => about(target), { isSo, restMs, markOf, pollMs: SELDOM_POLL_MS }, ports)
    },
    async strays() {
      const calls = await listCalls(service, {})
      return calls.filter(
        ({ operation, object_id }) => operation === null || (object_id !== null && !isKnown(object_id)),
      )
    },
  }
}

function longestGapMs(calls: readonly RequestRecord[]): number {
  const times = calls.map(({ real_at }) => Date.parse(real_at))
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time)))
}

const PAGE = 200

/** Returns the matching calls from all pages. `from` is the number of the first call. */
export async function listCalls(
  { perform }: Pick<Service, 'perform'>,
  filter: { readonly object_type?: string; readonly object_id?: string },
  from = 0,
): Promise<readonly RequestRecord[]> {
  const calls: RequestRecord[] = []
  let cursor: string | null = String(from)
  while (cursor !== null) {
    const page: RequestPage = await perform('listRequests', {
      path: {},
      query: { limit: PAGE, cursor, ...filter },
      body: undefined,
    })
    calls.push(...page.requests)
    cursor = page.next_cursor
  }
  return calls
}
