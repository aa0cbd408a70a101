import type { CheckContext, EffectTarget, Notice, Play } from './check-context.ts'
import type { Branch } from './branches.ts'
import { controlFailed, failed, notObservable, type Finding } from '../finding.ts'
import { acceptedAll, counted, effectsOf, isAccepted, isReached, sentence, stateOf } from './judge.ts'
import type { Sent } from './sent.ts'
import { inWords, type Sequence } from './sequences.ts'

/** A payment, and in which order the receiver is told of it. */
export interface Tale {
  readonly branch: Branch
  readonly sequence: Sequence
  /** Minor units of the payment. */
  readonly amount?: number
}

/** A tale that was told. */
export interface Told extends Tale {
  readonly play: Play
  /** What became of each delivery in the end, in the order of the sequence. */
  readonly sent: readonly Sent[]
}

/**
 * Plays a fresh payment for each tale and tells the receiver of it. A payment is never further than what is told of it. The
 * payments move in turn, so that every run is alike; their deliveries go out side by side. What is refused comes again at
 * the end, as the service would send it again.
 */
export async function tell(context: CheckContext, tales: readonly Tale[]): Promise<readonly Told[]> {
  const tellings = await begin(context, tales)
  const rounds = Math.max(0, ...tales.map(({ sequence }) => sequence.length))
  for (let round = 0; round < rounds; round++) {
    const due: (() => Promise<void>)[] = []
    for (const telling of tellings) {
      const notices = await reach(telling, telling.sequence[round] ?? [])
      due.push(() => deliver(context, telling, notices))
    }
    await Promise.all(due.map((each) => each()))
  }
  await Promise.all(tellings.map((telling) => deliverAgain(context, telling)))
  return tellings.map(({ delivered, ...told }) => ({ ...told, sent: delivered.map(({ sent }) => sent) }))
}

/**
 * What a payment has notified, played on until that is more than `upTo`, by the places of its branch: without the types that
 * the document does not list for it.
 */
export async function reachNotices(branch: Branch, play: Play, upTo: number): Promise<readonly Notice[]> {
  const types = new Set(branch.parts.map(({ type }) => type))
  const own = () => play.notices.filter(({ type }) => types.has(type))
  while (own().length <= upTo && play.payment.step < play.payment.steps) await play.next()
  return own()
}

interface Telling extends Tale {
  readonly play: Play
  delivered: readonly Delivered[]
}

interface Delivered {
  readonly notice: Notice
  readonly sent: Sent
}

async function begin(context: CheckContext, tales: readonly Tale[]): Promise<readonly Telling[]> {
  const tellings: Telling[] = []
  for (const tale of tales) {
    const { branch, amount } = tale
    const play = await context.world.play(branch.kind, branch.outcome, amount === undefined ? {} : { amount })
    tellings.push({ ...tale, play, delivered: [] })
  }
  return tellings
}

async function reach({ branch, play }: Telling, group: readonly number[]): Promise<readonly Notice[]> {
  if (group.length === 0) return []
  const notices = await reachNotices(branch, play, Math.max(...group))
  return group.flatMap((index) => notices[index] ?? [])
}

/** Nothing more is sent to a receiver that is gone. */
async function deliver(context: CheckContext, telling: Telling, notices: readonly Notice[]): Promise<void> {
  if (!telling.delivered.every(({ sent }) => isReached(sent))) return
  const fresh = await Promise.all(
    notices.map(async (notice) => ({ notice, sent: await context.send(notice) })),
  )
  telling.delivered = [...telling.delivered, ...fresh]
}

async function deliverAgain(context: CheckContext, telling: Telling): Promise<void> {
  const again: Delivered[] = []
  for (const { notice, sent } of telling.delivered)
    again.push({ notice, sent: await sentAgain(context, notice, sent) })
  telling.delivered = again
}

/** Once more only where there was no answer: each further try might take its whole deadline. */
function sentAgain(context: CheckContext, notice: Notice, sent: Sent): Promise<Sent> | Sent {
  if (isAccepted(sent) || !isReached(sent)) return sent
  return sent.status === null ? context.send(notice) : context.sendUntilAccepted(notice)
}

/** What is wrong with the receiver's view of a payment that it was told of to the end; undefined if nothing is. */
export async function misjudged(context: CheckContext, told: Told): Promise<Finding | undefined> {
  const { branch, sequence, sent } = told
  return (
    acceptedAll(...sent) ??
    untold(told) ??
    misacted(context, told, `when ${branch.kind} is notified as ${inWords(sequence, branch)}`)
  )
}

/** What a payment is not notified of cannot be judged. */
function untold({ branch, sequence, sent }: Told): Finding | undefined {
  const isWhole = sent.length === sequence.flat().length
  return isWhole ? undefined : notObservable(`Not all notifications of ${branch.kind} could be sent`)
}

/** The same for a payment that is over, however it was told of. */
export async function misacted(
  context: CheckContext,
  { branch, play }: Pick<Told, 'branch' | 'play'>,
  because: string,
): Promise<Finding | undefined> {
  if (!context.effects.observable) return undefined
  const { consequence } = play
  if (!consequence) return notObservable(`No notification of ${branch.kind} is about what is acted on`)
  const state = stateIn(play, consequence) ?? branch.outcome
  const looks = await Promise.all([
    undue(context, consequence, { effects: branch.effects, state, because }),
    ...companionsOf(play).map((target) =>
      effectsOf(context, target, {
        effects: 0,
        because: `which only goes with ${consequence.type} ${consequence.id}, ${because}`,
      }),
    ),
  ])
  return looks.find((look) => look !== undefined)
}

interface Due {
  readonly effects: number
  readonly state: string
  readonly because: string
}

/** What is wrong with what was done about an object and what is believed of it, where that is shown. */
async function undue(
  context: CheckContext,
  target: EffectTarget,
  { effects, state, because }: Due,
): Promise<Finding | undefined> {
  const seen = await context.effects.settle(target, effects)
  if (seen.effects !== effects) {
    return failed(`${counted(effects)} for ${target.type} ${target.id}, ${because}`, sentence(seen))
  }
  return seen.state === null || seen.state === state
    ? undefined
    : stateOf(context, target, { state, because })
}

/** Plays payments to their end, in turn, and tells of what is left of each, side by side. */
export async function tellRest(context: CheckContext, told: readonly Told[]): Promise<void> {
  const rests: (readonly Notice[])[] = []
  for (const { branch, sequence, play } of told) {
    const notices = await reachNotices(branch, play, branch.parts.length - 1)
    rests.push(notices.slice(sequence.length))
  }
  await Promise.all(
    rests.map(async (rest) => {
      for (const notice of rest) await context.sendUntilAccepted(notice)
    }),
  )
}

/** That a receiver did nothing says something only if it acts once the payment has truly succeeded. */
export async function idle(context: CheckContext, { branch, play }: Told): Promise<Finding | undefined> {
  const found = await misacted(context, { branch, play }, `when ${branch.kind} has succeeded`)
  if (found?.kind !== 'failed') return found
  return controlFailed(`expected ${found.expected}, but there was ${found.actual}`)
}

/** What else a payment notifies, each object once. */
export function companionsOf({
  notices,
  consequence,
}: Pick<Play, 'notices' | 'consequence'>): readonly EffectTarget[] {
  const byId = new Map(notices.map(({ type, id }) => [`${type} ${id}`, { type, id }]))
  byId.delete(`${consequence?.type} ${consequence?.id}`)
  return [...byId.values()]
}

/** The last state that the payment tells of this object. */
function stateIn({ notices }: Play, { type, id }: EffectTarget): string | undefined {
  return notices.findLast((notice) => notice.type === type && notice.id === id)?.state ?? undefined
}
