import { OPERATIONS, type Inputs } from '../../spec/generated/control-operations.ts'
import type { ControlError } from '../../spec/generated/control-types.ts'
import type { OperationRow } from '../../spec/operations.ts'
import type { Perform } from '../compose/listeners.ts'
import type { BenchAddress } from './bench-client.ts'
import { read, RefusedError, send } from './requests.ts'

/** The operations of a bench that runs elsewhere, as functions of their input. Throws RefusedError or UnreachableError. */
export function controlOver({ url, token }: BenchAddress): Perform {
  return async (id, input) => {
    const row: OperationRow = OPERATIONS[id]
    const response = await send(`${url}${pathOf(row, input)}`, {
      method: row.method,
      token,
      body: row.body ? input.body : undefined,
    })
    if (response.ok) return read(response)
    const { error }: Partial<ControlError> = await read(response)
    const message = error?.message ?? `Cannot ${row.summary}: the bench answered ${response.status}`
    throw new RefusedError(message, { hint: error?.hint })
  }
}

function pathOf({ path }: OperationRow, { path: given, query }: Inputs[keyof Inputs]): string {
  const values = new Map<string, unknown>(Object.entries(given))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  )
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return asked.length === 0 ? filled : `${filled}?${new URLSearchParams(asked).toString()}`
}
