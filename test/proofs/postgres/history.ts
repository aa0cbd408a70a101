/** Entries that were to be kept at once: behind the others, or in place of them. */
export interface Write {
  readonly kind: 'append' | 'replace'
  readonly ids: readonly number[]
  /** When it began and ended, in steps of the whole history. */
  readonly beganAt: number
  endedAt: number
  /** `refused`: at once, so that it was never sent. `unknown`: it was, and had no answer. */
  outcome: 'under-way' | 'kept' | 'refused' | 'unknown'
}

/** A change of the world's row, as PostgreSQL made it. */
export interface RowChange {
  readonly epoch: number
  readonly holder: string | null
  readonly generation: number
  readonly length: number
}

/** What is wrong with a history, each in a sentence. `ids` are those that are there at its end, in their order. */
export function findProblems(
  writes: readonly Write[],
  changes: readonly RowChange[],
  ids: readonly number[],
): readonly string[] {
  return [
    ...findLost(writes, ids),
    ...findStrays(writes, ids),
    ...findDisorder(writes, ids),
    ...findTwoWriters(changes),
  ]
}

/** What was said to be kept is there, unless something took the place of all that may have come after it. */
function findLost(writes: readonly Write[], ids: readonly number[]): readonly string[] {
  const there = new Set(ids)
  const replacements = writes.filter(({ kind, outcome }) => kind === 'replace' && outcome !== 'refused')
  return writes.flatMap((write) => {
    const mayBeReplaced = replacements.some((other) => other !== write && other.endedAt > write.beganAt)
    const isLost = write.outcome === 'kept' && !write.ids.every((id) => there.has(id))
    return isLost && !mayBeReplaced
      ? [`${write.kind} of ${write.ids.join(', ')} was kept, and is not there`]
      : []
  })
}

/** Nothing is there that was refused, or in part, or twice, or from nowhere. */
function findStrays(writes: readonly Write[], ids: readonly number[]): readonly string[] {
  const writeOf = new Map(writes.flatMap((write) => write.ids.map((id) => [id, write] as const)))
  const problems = new Set(ids).size === ids.length ? [] : ['an entry is there twice']
  for (const [index, id] of ids.entries()) {
    const write = writeOf.get(id)
    if (!write) problems.push(`entry ${id} is from nowhere`)
    else if (write.outcome === 'refused') problems.push(`entry ${id} was refused, and is there`)
    else if (id === write.ids[0] && write.ids.some((each, offset) => ids[index + offset] !== each))
      problems.push(`${write.kind} of ${write.ids.join(', ')} is there in part`)
    else if (!ids.includes(write.ids[0] ?? -1)) problems.push(`entry ${id} is there without its first`)
  }
  return problems
}

/** What had ended before another began stands before it. */
function findDisorder(writes: readonly Write[], ids: readonly number[]): readonly string[] {
  const placeOf = (write: Write) => ids.indexOf(write.ids[0] ?? -1)
  const there = writes.filter((write) => placeOf(write) !== -1)
  return there.flatMap((later) =>
    there
      .filter((earlier) => earlier.endedAt < later.beganAt && placeOf(earlier) > placeOf(later))
      .map(
        (earlier) => `entry ${earlier.ids[0]} had ended before ${later.ids[0]} began, and stands behind it`,
      ),
  )
}

/** Each epoch has one holder, none comes back, and none writes what an earlier one did. */
function findTwoWriters(changes: readonly RowChange[]): readonly string[] {
  const holders = new Map<number, string>()
  const problems: string[] = []
  let [last, before]: [number, RowChange | undefined] = [0, undefined]
  for (const change of changes) {
    if (change.epoch < last) problems.push(`epoch ${change.epoch} wrote after ${last}`)
    last = Math.max(last, change.epoch)
    if (change.holder !== null) {
      const holder = holders.get(change.epoch) ?? change.holder
      holders.set(change.epoch, holder)
      if (holder !== change.holder) problems.push(`epoch ${change.epoch} has two holders`)
    } else if (before && before.length !== change.length) problems.push('something was written by nobody')
    if (before?.generation === change.generation && change.length < before.length)
      problems.push('the world became shorter')
    before = change
  }
  return problems
}
