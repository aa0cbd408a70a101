import type { CheckContext, EffectTarget, Notice, Play } from '../toolkit/check-context.ts'
import type { Branch } from '../toolkit/branches.ts'

/** A payment that is over, the object that is acted on, and the notice that decides over it. */
export interface Finished {
  readonly branch: Branch
  readonly play: Play
  readonly target: EffectTarget
  readonly notice: Notice
}

/** A fresh payment of each branch, played to its end, of which nobody knows yet; without those that nothing decides over. */
export async function lastPlayed(
  context: CheckContext,
  branches: readonly Branch[],
  options: { readonly amount?: number } = {},
): Promise<readonly Finished[]> {
  const finished: Finished[] = []
  for (const branch of branches) {
    const play = await context.world.play(branch.kind, branch.outcome, options)
    await play.finish()
    const target = play.consequence
    const notice = play.notices.findLast(({ type, id }) => type === target?.type && id === target.id)
    if (target && notice) finished.push({ branch, play, target, notice })
  }
  return finished
}

/** What is added to `unseen` by a check that would see effects too. */
export function unseenEffects(context: Pick<CheckContext, 'effects'>, unseen?: string): string | undefined {
  const effects = context.effects.observable
    ? undefined
    : 'Whether it acts once was not seen: effects are not observable'
  const texts = [effects, unseen].filter((text) => text !== undefined)
  return texts.length === 0 ? undefined : texts.join('; ')
}
