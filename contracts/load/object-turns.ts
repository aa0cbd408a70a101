/** Lets what is about one object go out one after the other, as the service does, so that its states come in order. */
export type ObjectTurns = (object: string, work: () => Promise<void>) => Promise<void>

export function createObjectTurns(): ObjectTurns {
  const last = new Map<string, Promise<void>>()
  return async (object, work) => {
    const before = last.get(object)
    const own = before ? before.then(work) : work()
    last.set(object, own)
    try {
      await own
    } finally {
      if (last.get(object) === own) last.delete(object)
    }
  }
}
