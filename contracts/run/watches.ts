import type { RequestPage, RequestRecord } from '../../spec/generated/control-types.ts'
import type { CallWatch, EffectTarget, EffectWatch } from '../toolkit/check-context.ts'
import type { EffectProbe, EffectState } from '../toolkit/effects.ts'
import type { Profile } from '../toolkit/profile.ts'
import type { Patience } from '../probes/patience.ts'
import type { Service } from './service.ts'
import type { Record } from './record.ts'

export interface WatchPorts extends Patience {
  readonly profile: Profile
  readonly record: Record
}

/** How often it looks again. */
const POLL_MS = 20

/** Looks again and again until it is so, at most for so long; what it saw last. */
async function until<Seen>(
  look: () => Promise<Seen>,
  { isSo, withinMs }: { readonly isSo: (seen: Seen) => boolean; readonly withinMs: number },
  { elapsed, pause }: Patience,
): Promise<Seen> {
  const end = elapsed() + withinMs
  for (;;) {
    const seen = await look()
    if (isSo(seen) || elapsed() >= end) return seen
    await pause(POLL_MS)
  }
}

export function createEffectWatch(probe: EffectProbe | undefined, ports: WatchPorts): EffectWatch {
  const { profile, record } = ports
  const read = async ({ type, id }: EffectTarget): Promise<EffectState> => {
    if (!probe) throw new RangeError('Cannot read effects: the configuration says not where')
    return probe(type, id)
  }
  const noted = (target: EffectTarget, seen: EffectState): EffectState => {
    record.add({ kind: 'effects', target: { type: target.type, id: target.id }, seen })
    return seen
  }
  return {
    observable: probe !== undefined,
    read: async (target) => noted(target, await read(target)),
    async settle(target, effects) {
      const withinMs = profile.settleMs
      const seen = await until(() => read(target), { isSo: (now) => now.effects >= effects, withinMs }, ports)
      if (seen.effects !== effects) return noted(target, seen)
      const window = { isSo: (now: EffectState) => now.effects !== effects, withinMs: profile.windowMs }
      return noted(target, await until(() => read(target), window, ports))
    },
    async settleState(target, state) {
      const wish = { isSo: (now: EffectState) => now.state === state, withinMs: profile.settleMs }
      return noted(target, await until(() => read(target), wish, ports))
    },
  }
}

export interface CallPorts extends WatchPorts {
  readonly service: Service
  /** Whether any check has made an object with this id. */
  readonly isKnown: (id: string) => boolean
}

export function createCallWatch(ports: CallPorts): CallWatch {
  const { profile, service, isKnown } = ports
  const about = ({ type, id }: EffectTarget) => callsOf(service, { object_type: type, object_id: id })
  return {
    observable: profile.callsBack,
    about,
    settle: (target) =>
      until(() => about(target), { isSo: (calls) => calls.length > 0, withinMs: profile.settleMs }, ports),
    async strays() {
      const calls = await callsOf(service, {})
      return calls.filter(
        ({ operation, object_id }) => operation === null || (object_id !== null && !isKnown(object_id)),
      )
    },
  }
}

const PAGE = 200

/** Every call that is meant, over all pages. */
export async function callsOf(
  { perform }: Pick<Service, 'perform'>,
  filter: { readonly object_type?: string; readonly object_id?: string },
): Promise<readonly RequestRecord[]> {
  const calls: RequestRecord[] = []
  let cursor: string | null = '0'
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
