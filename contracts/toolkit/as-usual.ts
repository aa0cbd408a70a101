import type { CheckContext, EffectTarget, Notice } from './check-context.ts'
import { dueEffect } from './due.ts'
import { controlFailed, type Finding } from '../finding.ts'
import { acceptedAll, acceptedFirst, effectsOf, isAccepted, isReached, sendAll } from './judge.ts'
import type { Sent } from './sent.ts'

/** A notice that is unusual in one thing, and how to have one of another object that is not. */
export interface Unusual {
  readonly notice: Notice
  readonly usual: () => Promise<Notice>
}

/** Sends all. A refusal says something only where the same is accepted as usual: otherwise it is inconclusive. */
export async function acceptedAsUsual(
  context: CheckContext,
  unusual: readonly Unusual[],
): Promise<Finding | undefined> {
  const sent = await sendAll(
    context,
    unusual.map(({ notice }) => notice),
  )
  if (!sent.every(isReached)) return acceptedAll(...sent)
  const telling: Sent[] = []
  let control: Sent | undefined
  for (const [index, one] of sent.entries()) {
    const usual = isAccepted(one) ? undefined : await unusual[index]?.usual()
    if (!usual) continue
    control = await context.send(usual, { label: `${usual.label}, as usual` })
    if (isAccepted(control)) telling.push(one)
    // Each further one might take its whole deadline.
    if (control.status === null) break
  }
  if (telling.length > 0) return acceptedAll(...telling)
  return control && acceptedFirst(control)
}

/** What was told in an unusual way, and is to have one effect; undefined if there is nothing that could have one. */
export interface Awaited {
  readonly target: EffectTarget | undefined
  readonly because: string
}

/** Failed if one of them has not one effect; inconclusive if what is told as usual has not either. */
export async function oneEffectAsUsual(
  context: CheckContext,
  ...awaited: readonly Awaited[]
): Promise<Finding | undefined> {
  const findings = await Promise.all(
    awaited.map(async ({ target, because }) => target && effectsOf(context, target, { effects: 1, because })),
  )
  const index = findings.findIndex((finding) => finding !== undefined)
  const [missed, type] = [findings[index], awaited[index]?.target?.type]
  const due = type && (await dueEffect(context, { type }))
  if (!due) return missed
  await sendAll(context, [...due.before, due.notice])
  const control = await effectsOf(context, due.target, { effects: 1, because: 'told as usual' })
  if (control?.kind !== 'failed') return missed
  return controlFailed(
    `as usual it does not act once either: expected ${control.expected}, saw ${control.actual}`,
  )
}
