import type { ControlOperation } from './operation.ts'

export const streamEvents: ControlOperation<'streamEvents'> = ({ headers }, { events }) => {
  const after = headers['last-event-id']
  // Before the stream begins: one that cannot begin is refused like any other request.
  events.follow(after, () => {})()
  return { kind: 'stream', after: after ?? events.lastId(), follow: (tell) => events.follow(after, tell) }
}
