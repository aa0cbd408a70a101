import type { Event } from '../../spec/generated/control-types.ts'

/** Reads server-sent events from a body, checking how each is written. */
export interface EventReader {
  /** The next so many events. */
  take(count: number): Promise<readonly Event[]>
  cancel(): Promise<void>
}

export function eventReader({ body }: Response): EventReader {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  const read: Event[] = []
  let text = ''

  async function readMore(): Promise<void> {
    const part = await reader?.read()
    if (!part || part.done) throw new Error('The stream of events ended')
    text += decoder.decode(part.value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    // A sign of life is no event, nor is the place where the stream begins.
    for (const block of blocks) if (block.includes('data: ')) read.push(eventIn(block))
  }

  return {
    async take(count) {
      while (read.length < count) await readMore()
      return read.splice(0, count)
    },
    cancel: async () => reader?.cancel(),
  }
}

function eventIn(block: string): Event {
  const [, id, type, data = ''] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(block) ?? []
  const event = JSON.parse(data) as Event
  if (event.id !== id || event.type !== type) throw new Error(`The names of an event differ: ${block}`)
  return event
}
