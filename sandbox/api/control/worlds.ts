import { performFirst, reply } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'

export const listWorlds: ControlOperation<'listWorlds'> = (_, { worlds }) =>
  performFirst(
    () => worlds.list(),
    (list) => reply(200, { worlds: [...list] }),
  )

export const getWorld: ControlOperation<'getWorld'> = ({ path }, { worlds }) =>
  performFirst(
    () => worlds.get(path.name),
    (world) => reply(200, world),
  )

export const addWorld: ControlOperation<'addWorld'> = ({ body }, { worlds }) =>
  performFirst(
    () => worlds.add(body),
    (world) => reply(201, world),
  )

export const copyWorld: ControlOperation<'copyWorld'> = ({ path, body }, { worlds }) =>
  performFirst(
    () => worlds.copy(path.name, body),
    (world) => reply(201, world),
  )

export const removeWorld: ControlOperation<'removeWorld'> = ({ path }, { worlds }) =>
  performFirst(
    () => worlds.remove(path.name),
    (world) => reply(200, world),
  )
