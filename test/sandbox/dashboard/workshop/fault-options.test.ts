import { expect, test } from 'vitest'
import { faultKinds } from '../../../../spec/faults.ts'
import { listCommands } from '../../../../build/page-commands.ts'
import { faultOptions } from '../../../../sandbox/dashboard/workshop/fault-options.ts'

const KINDS = (['delivery', 'api'] as const).flatMap((on) =>
  Object.entries(faultKinds[on]).map(([kind, { about, takes, needs = [] }]) => ({
    on,
    kind,
    about,
    takes: [...takes],
    needs: [...needs],
  })),
)

test('every fault option of the dashboard is an option of the command "faults add"', async () => {
  const add = (await listCommands()).find(({ name }) => name === 'faults add')
  const known = new Set(add?.options.map(({ name }) => name))

  const unknown = KINDS.flatMap(faultOptions).filter(({ name }) => !known.has(name))

  expect(unknown).toEqual([])
})
