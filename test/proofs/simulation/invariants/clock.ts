import type { Invariant } from './invariant.ts'

export const clock: Invariant = {
  id: 'I-clock',
  about:
    'the clock and every time on record go forward only, over restarts, changes of the wall clock and advances',
  check({ model, history, endedAt }) {
    const backwards = model.entries.flatMap(({ head, position }, index) => {
      const before = model.entries[index - 1]?.head.at ?? 0
      return head.at < before ? [`entry ${position} is from before the one ahead of it`] : []
    })
    const starts = history.starts.flatMap(({ now, tick, incarnation }) => {
      // What was lost with the power since then stands here no more, and others may have its place.
      const recorded = model.entries.findLast((entry) => entry.tick < tick)?.head.at ?? now
      const told = history.calls.flatMap(({ answer, path }) =>
        answer && answer.tick < tick && path === '/control/clock/advance' && answer.status === 200
          ? Date.parse(answer.body.now)
          : [],
      )
      return now < Math.max(recorded, ...told)
        ? [`start ${incarnation} went back to ${new Date(now).toISOString()}`]
        : []
    })
    const answers = history.calls.flatMap(({ answer }) => (answer ? [answer] : []))
    const ahead = answers.some(({ now }) => now > endedAt)
    const advances = history.calls.flatMap(({ path, body, answer, overlapped }) => {
      if (path !== '/control/clock/advance' || answer?.status !== 200 || overlapped) return []
      const { to } = Object(body)
      return to === undefined || to === answer.body.now
        ? []
        : [`an advance to ${to} ended at ${answer.body.now}`]
    })
    return [...backwards, ...starts, ...advances, ...(ahead ? ['the clock showed more than at the end'] : [])]
  },
}
