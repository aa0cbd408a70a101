import type { UndiciTransport } from './undici-transport.ts'

/** Loads the transport only when the first message is sent, because loading undici and TLS takes 30 ms. */
export function createLazyTransport(load: () => Promise<UndiciTransport>): UndiciTransport {
  let loading: Promise<UndiciTransport> | undefined
  let loaded: UndiciTransport | undefined
  let isClosed = false

  async function open(): Promise<UndiciTransport> {
    loaded = await (loading ??= load())
    // If `close` was called during loading, closes the transport, which then rejects the message.
    if (isClosed) await loaded.close()
    return loaded
  }

  return {
    post: (message, deadlineMs) =>
      loaded?.post(message, deadlineMs) ?? open().then((transport) => transport.post(message, deadlineMs)),
    async close() {
      isClosed = true
      if (loading) await open()
    },
  }
}
