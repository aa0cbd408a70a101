import type { Validator } from '../../../spec/validator.ts'
import type { Write } from '../../engine/state/entries.ts'
import type { Decision, Reply, Stream } from '../operations/operation.ts'
import type { OperationRow } from '../../../spec/rows.ts'

export interface CarryOutPorts<Actions> {
  readonly validators: Readonly<Record<string, Validator<unknown>>>
  readonly actions: Actions
  /** Applies the writes immediately and resolves when they are durable. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
}

/** Repeats the decision until there is a reply. Decides and commits in the same tick, so that the state cannot change in between. */
export async function carryOut<Actions>(
  row: OperationRow,
  decision: Decision<unknown, Actions>,
  ports: CarryOutPorts<Actions>,
): Promise<Reply<unknown> | Stream<unknown>> {
  let step = decision
  while (step.kind === 'perform-first') {
    const decide = await step.perform(ports.actions)
    step = decide()
  }
  if (step.kind === 'stream') return step
  checkReply(row, step, ports)
  if (step.writes.length > 0 || row.method === 'PATCH') await ports.commit(step.writes)
  return step
}

/** Throws an error if a reply violates the schema of its operation. Such an error is a bug of the sandbox. */
export function checkReply(
  row: OperationRow,
  reply: Pick<Reply<unknown>, 'status' | 'body'>,
  { validators }: Pick<CarryOutPorts<never>, 'validators'>,
): void {
  const name = row.responses[reply.status] ?? row.responses['default']
  const validator = name === undefined ? undefined : validators[name]
  if (!validator) throw new Error(`Cannot answer ${row.id} with ${reply.status}: the spec does not define it`)
  if (validator(reply.body)) return
  throw new Error(
    `Cannot answer ${row.id} with ${reply.status}: not a ${name}: ${JSON.stringify(validator.errors)}`,
  )
}
