import { randomUUID } from 'node:crypto'
import { openPostgresNode } from '../../../sandbox/adapters/postgres/postgres-node.ts'
import { StorageError } from '../../../sandbox/engine/state/log.ts'
import type { PostgresServer } from '../../support/postgres.ts'
import type { Command, NodeName } from './commands.ts'
import { findProblems, type RowChange } from './history.ts'
import { sitDown, type Seat } from './seat.ts'

/** Carries out the commands, lets everything come back, and looks at what came of it. Gives what is wrong. */
export async function tryCommands(
  server: PostgresServer,
  commands: readonly Command[],
): Promise<readonly string[]> {
  const world = `w-${randomUUID()}`
  await startAudit(server, world)
  const steps = { count: 0, nextId: 1 }
  const seats = {
    one: await sitDown(server, { name: 'one', steps }),
    two: await sitDown(server, { name: 'two', steps }),
  }
  const both = Object.values(seats)
  try {
    for (const command of commands) {
      steps.count++
      await carryOut(server, { world, seats }, command)
    }
    for (const { proxy } of both) {
      proxy.delayMs = 0
      proxy.open()
      proxy.cut()
    }
    for (const seat of both) await seat.end(() => readBodies(server, world))
    const ids = await readIds(server, world)
    const problems = both.flatMap((seat) => seat.problems)
    return [
      ...problems,
      ...findProblems(
        both.flatMap(({ writes }) => writes),
        await readAudit(server, world),
        ids,
      ),
    ]
  } finally {
    for (const { proxy, node } of both) {
      await proxy.close()
      await node.close()
    }
  }
}

interface Play {
  readonly world: string
  readonly seats: Readonly<Record<NodeName, Seat>>
}

async function carryOut(server: PostgresServer, { world, seats }: Play, command: Command): Promise<void> {
  const seat = seats[command.node]
  const { proxy } = seat
  switch (command.do) {
    case 'append':
      return seat.append(command.count)
    case 'replace':
      return seat.replace(command.count)
    case 'checkpoint':
      return seat.checkpoint()
    case 'settle':
      return seat.settle()
    case 'reopen':
      await seat.leave()
      return take(server, world, seat)
    case 'take':
      return take(server, world, seat)
    case 'delay':
      proxy.delayMs = command.ms
      return
    case 'cut':
    case 'refuse':
    case 'swallow':
    case 'hold':
    case 'open':
      proxy[command.do]()
  }
}

/** The lease of whoever has it runs out, by the clock of PostgreSQL. */
async function take(server: PostgresServer, world: string, seat: Seat): Promise<void> {
  if (seat.hasWorld) return
  await expire(server, world)
  await seat.take(world)
}

async function expire(server: PostgresServer, world: string): Promise<void> {
  await server.query(`UPDATE hookbench.worlds SET lease_until = 'epoch' WHERE name = $1`, [world])
}

/** Has PostgreSQL itself put each change of a world's row on record. */
async function startAudit(server: PostgresServer, world: string): Promise<void> {
  const node = await openPostgresNode(server.url(), { node: 'audit' })
  await server.query(`
    CREATE TABLE IF NOT EXISTS audit (number bigserial, name text, epoch int, holder text, generation int, length int);
    CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO audit (name, epoch, holder, generation, length)
      VALUES (new.name, new.epoch, new.holder, new.generation, new.length);
      RETURN new;
    END $$;
    CREATE OR REPLACE TRIGGER note AFTER UPDATE ON hookbench.worlds FOR EACH ROW EXECUTE FUNCTION note()
  `)
  await node.add({ id: randomUUID(), name: world })
  await node.close()
}

async function readAudit(server: PostgresServer, world: string): Promise<readonly RowChange[]> {
  const sql = 'SELECT epoch, holder, generation, length FROM audit WHERE name = $1 ORDER BY number'
  const rows = await server.query(sql, [world])
  return rows.map(({ epoch, holder, generation, length }) => ({
    epoch: Number(epoch),
    holder: typeof holder === 'string' ? holder : null,
    generation: Number(generation),
    length: Number(length),
  }))
}

/** What is in the tables now. */
async function readBodies(server: PostgresServer, world: string): Promise<readonly number[]> {
  const rows = await server.query(
    `SELECT e.body FROM hookbench.entries e JOIN hookbench.worlds w ON w.number = e.world AND w.generation = e.generation
     WHERE w.name = $1 ORDER BY position`,
    [world],
  )
  return rows.map(({ body }) => Number(body))
}

/** What the next node that opens the world reads. */
async function readIds(server: PostgresServer, world: string): Promise<readonly number[]> {
  const node = await openPostgresNode(server.url(), { node: 'reader' })
  try {
    await expire(server, world)
    const { lease } = await node.acquire(world)
    if (!lease) throw new StorageError('failed', 'The world could not be taken')
    const log = await node.openLog(lease)
    const ids = Array.from({ length: log.length }, (_, index) => Number(log.read(index + 1).body))
    log.close()
    await log.closed
    return ids
  } finally {
    await node.close()
  }
}
