import type { Event } from '../../../spec/generated/control-types.ts'
import type { Head } from '../../engine/state/entries.ts'
import type { View } from '../../engine/state/view.ts'
import { shownFault } from './faults.ts'
import { summary } from './jobs.ts'
import { shownPayment } from './payments.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

type Told = Pick<Event, 'type' | 'data'>

/** A line of the history as an event tells of it: as the operation that lists it shows it. */
export function eventOf(head: Head, view: View): Told {
  switch (head.kind) {
    case 'object': {
      const { object_type, id, revision } = head
      return { type: 'object', data: { object_type, id, revision } }
    }
    case 'registration': {
      const { id, generation, object_type, url, enabled } = head.registration
      return { type: 'registration', data: { id, generation, object_type, url, enabled } }
    }
    case 'deletion':
      return { type: 'registration_removed', data: { id: head.registration_id } }
    case 'job':
    case 'attempt':
    case 'cancellation':
      return ofJob(head, view)
    case 'payment':
      return { type: 'payment', data: { ...shownPayment(head.payment, { view }) } }
    case 'secret':
      return { type: 'secret', data: {} }
    case 'readings':
      return { type: 'readings', data: { ...head.chosen } }
    case 'clock':
      return {
        type: 'clock',
        data: { now: timestamp(head.at), ...(head.speed !== undefined && { speed: head.speed }) },
      }
    case 'crafted':
      return { type: 'delivery', data: { id: head.id } }
    case 'fault':
    case 'fault-use':
    case 'fault-end':
      return ofFault(head, view)
    default:
      return head satisfies never
  }
}

function ofJob(head: Extract<Head, { readonly kind: 'job' | 'attempt' | 'cancellation' }>, view: View): Told {
  const id = head.kind === 'job' ? head.id : head.job_id
  const job = view.job(id)
  const data = job ? { job: summary(job) } : { job: { id } }
  if (head.kind === 'job') return { type: 'job', data }
  if (head.kind === 'cancellation') return { type: 'job_called_off', data }
  const { number, status, reason, message, manual = false, faults = [] } = head
  return { type: 'attempt', data: { ...data, number, status, reason, message, manual, faults } }
}

function ofFault(
  head: Extract<Head, { readonly kind: 'fault' | 'fault-use' | 'fault-end' }>,
  view: View,
): Told {
  if (head.kind === 'fault-end') return { type: 'fault_removed', data: { id: head.fault_id } }
  const id = head.kind === 'fault' ? head.fault.id : head.fault_id
  const fault = view.faults().find((known) => known.id === id)
  return { type: 'fault', data: fault ? { ...shownFault(fault) } : { id } }
}
