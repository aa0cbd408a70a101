import { finish, type Call } from './call.ts'
import { createConnection, type Connection, type ConnectionOptions } from './connection.ts'
import { timeoutOutcome, failureOutcome } from './failure-outcomes.ts'

/** The connections to one origin, and the calls that wait for one. */
export interface ConnectionPool {
  /** Carries the call on an idle connection, on a new one, or on the next that becomes free. */
  run(call: Call): void
  /** Finishes the call with what is known of it, because its deadline has passed. */
  expire(call: Call): void
  isEmpty(): boolean
  /** Finishes its calls as interrupted. */
  close(): Promise<void>
}

export interface ConnectionPoolOptions extends ConnectionOptions {
  readonly limit: number
}

/**
 * undici's own pool hides which connection carries a call. It has to be known: to end it at the deadline,
 * to say in which phase it was, and to send again on a connection that is certainly fresh.
 */
export function createConnectionPool({ target, connector, limit }: ConnectionPoolOptions): ConnectionPool {
  const open = new Set<Connection>()
  const idle: Connection[] = []
  const queue: Call[] = []
  const state: PoolState = { hasSurplus: false }

  function connect(): Connection {
    const connection = createConnection(
      { target, connector },
      {
        onFree() {
          if (!open.has(connection)) return
          const next = nextInQueue(queue)
          if (next) start(next, connection, state)
          else idle.push(connection)
        },
        onEnd(retryable) {
          // undici also reports the end of a connection that was discarded here.
          if (!open.delete(connection)) return
          if (retryable) queue.unshift(retryable)
          remove(connection, idle)
          void connection.destroy()
          const next = nextInQueue(queue)
          if (next) start(next, connect(), state)
        },
        // An exchange that ended with a failure is reported by that failure.
        onSurplus: () => (state.hasSurplus ||= open.has(connection)),
      },
    )
    open.add(connection)
    return connection
  }

  return {
    run(call) {
      const connection = idle.pop() ?? (open.size < limit ? connect() : undefined)
      if (connection) start(call, connection, state)
      else queue.push(call)
    },
    expire(call) {
      if (call.connection) call.connection.expire()
      else finish(call, timeoutOutcome({ ...target, phase: 'queued', deadlineMs: call.deadlineMs }))
    },
    isEmpty: () => open.size === 0 && queue.length === 0,
    async close() {
      for (const call of queue.splice(0)) {
        if (!call.isSettled) finish(call, failureOutcome('interrupted', target))
      }
      idle.length = 0
      await Promise.all([...open].map((connection) => connection.destroy()))
    },
  }
}

interface PoolState {
  /** Whether something came, on a connection that was idle, that the next call is to tell of. */
  hasSurplus: boolean
}

function start(call: Call, connection: Connection, state: PoolState): void {
  call.connection = connection
  call.hasSurplus ||= state.hasSurplus
  state.hasSurplus = false
  connection.send(call)
}

/** Calls that ended while they waited stay in the queue until their turn. */
function nextInQueue(queue: Call[]): Call | undefined {
  let call = queue.shift()
  while (call?.isSettled) call = queue.shift()
  return call
}

function remove(connection: Connection, idle: Connection[]): void {
  const index = idle.indexOf(connection)
  if (index !== -1) idle.splice(index, 1)
}
