import type { UndiciTransport } from './undici-transport.ts'

/** A transport that is loaded when the first message is posted: undici and TLS take 30 ms, which no start has to wait for. */
export function createLazyTransport(load: () => Promise<UndiciTransport>): UndiciTransport {
  let loading: Promise<UndiciTransport> | undefined
  let loaded: UndiciTransport | undefined
  let isClosed = false

  async function open(): Promise<UndiciTransport> {
    loaded = await (loading ??= load())
    // A POST to a transport that is closed is refused by it.
    if (isClosed) await loaded.close()
    return loaded
  }

  return {
    async post(message, deadlineMs) {
      return (loaded ?? (await open())).post(message, deadlineMs)
    },
    async close() {
      isClosed = true
      if (loading) await open()
    },
  }
}
