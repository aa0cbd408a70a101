import type { DeliveryCopies } from '../../../spec/generated/control-types.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { reply } from '../operations/operation.ts'
import { formatCurl, formatDeliver, formatVitest, type DeliveryOrder, type SentMessage } from './copy-text.ts'
import { composeDelivery } from './deliveries.ts'
import { findJobDetail } from './jobs.ts'
import { lookBack } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'

/** What sends elsewhere what a job sent last. */
export const getJobCopies: ControlOperation<'getJobCopies'> = lookBack(({ path }, context) => {
  const { job, attempts } = findJobDetail(path.id, context)
  const last = attempts.at(-1)
  if (!last) throw new ApiError('conflict', `Cannot copy what job "${job.id}" sent: it has sent nothing yet`)
  const { url, request } = last
  const copied = {
    message: { url, headers: request.headers, body: request.body },
    about: `${job.object_type} ${job.object_id}, ${job.state ?? 'changed'}`,
    order: { target: { job: job.id }, signed: isSigned(request.headers) },
  }
  return reply(200, toCopies(copied, context))
})

/** What sends elsewhere what a delivery would send now. */
export const copyDelivery: ControlOperation<'copyDelivery'> = ({ body: asked }, context) => {
  const { registration, raw, headers = {}, signed = false, times = 1 } = asked
  const { message } = composeDelivery(asked, context)
  const copied = {
    message: { url: message.url, headers: Object.entries(message.headers), body: raw },
    about: 'what was edited',
    order: { target: { registration, raw }, headers: Object.entries(headers), signed, times },
  }
  return reply(200, toCopies(copied, context))
}

interface Copied {
  readonly message: SentMessage
  /** What the test is about. */
  readonly about: string
  readonly order: DeliveryOrder
}

function toCopies(
  { message, about, order }: Copied,
  { dataFolder, worldName }: ControlContext,
): DeliveryCopies {
  return {
    curl: formatCurl(message, dataFolder),
    command: formatDeliver(order, { data: dataFolder, world: worldName }),
    test: formatVitest(message, about, dataFolder),
  }
}

function isSigned(headers: SentMessage['headers']): boolean {
  return headers.some(([name]) => name?.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
}
