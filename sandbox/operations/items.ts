import { ApiError } from '../http/api-error.ts'
import { reply, type Operation } from './operation.ts'

/** Source: §4 */
export const showItem: Operation<'showItem'> = ({ path }, { view }) => {
  const item = view.object('items', path.id)
  if (!item) throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return reply(200, { items: item.body })
}
