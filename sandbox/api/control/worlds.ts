import { isTemporary } from '../../engine/state/storage-error.ts'
import { performFirst, reply, replyAfter } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'

/** Lists all worlds. Throws StorageError if the store of the worlds was deleted or replaced. */
export const listWorlds: ControlOperation<'listWorlds'> = (_, { worlds, storageProblem }) => {
  const problem = storageProblem()
  if (problem && !isTemporary(problem)) throw problem
  return performFirst(
    () => worlds.list(),
    (list) => reply(200, { worlds: [...list] }),
  )
}

export const getWorld: ControlOperation<'getWorld'> = ({ path }, { worlds }) =>
  replyAfter(200, () => worlds.get(path.name))

export const addWorld: ControlOperation<'addWorld'> = ({ body }, { worlds }) =>
  replyAfter(201, () => worlds.add(body))

export const copyWorld: ControlOperation<'copyWorld'> = ({ path, body }, { worlds }) =>
  replyAfter(201, () => worlds.copy(path.name, body))

export const removeWorld: ControlOperation<'removeWorld'> = ({ path }, { worlds }) =>
  replyAfter(200, () => worlds.remove(path.name))
