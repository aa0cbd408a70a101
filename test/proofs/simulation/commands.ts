import { paymentOutcomes } from '../../../spec/payments.ts'
import { askForList, REFUSED_CALLS } from './listings.ts'
import type { Command, Crowd, CrowdCall, SingleCommand } from './plan.ts'
import {
  type KnownObject,
  objectsOf,
  pick,
  receiverUrl,
  registrationsOf,
  stateOf,
  typeToRegister,
  watchedTypes,
} from './plan-arbitrary.ts'
import type { World } from './world/world.ts'

interface ChangePlace {
  readonly number: number
  readonly choice: number
}

/** Performs a command. `number` is different for each command. */
export async function perform(command: Command, world: World, number: number): Promise<void> {
  switch (command.kind) {
    case 'pair': {
      const { first, second } = command
      const both = [doSingle(first, world, number), doSingle(second, world, number + 0.5)]
      return driven(world, Promise.all(both))
    }
    case 'crash': {
      world.crashAt(command.point)
      await world.drive(doSingle(command.during, world, number))
      world.crash(command.loss, command.share)
      return world.start()
    }
    case 'crowd':
      return performCrowd(command, world, number)
    case 'save':
      return world.save()
    case 'replace':
      if (!world.isSaved()) await world.save()
      void (await startCrowd(command.meanwhile, world, number))
      await world.replaceBy(command.successor, command.interruption)
      return performCrowd(command.afterwards, world, number + 1 / 4)
    case 'restart':
      await world.close()
      return world.start()
    case 'go-on':
      return world.goOn(command.events)
    case 'wall-clock':
      return world.time.shiftWallClock(command.minutes * 60_000)
    case 'bad-disk':
      return world.spoilDisk(command.times, command.after, command.failure)
    case 'behave': {
      const registration = pick(registrationsOf(world), command.which)
      if (registration) world.receivers.set(registration.url, command.behaviour)
      return undefined
    }
    case 'list':
      await world.flush()
      return driven(world, doSingle(command, world, number))
    case 'register':
    case 'change-registration':
    case 'delete-registration':
    case 'create':
    case 'change':
    case 'play':
    case 'step':
    case 'advance':
    case 'resend':
    case 'refused':
      return driven(world, doSingle(command, world, number))
    default:
      return command satisfies never
  }
}

async function driven(world: World, promise: Promise<unknown>): Promise<void> {
  await world.drive(promise)
}

const LAST_OF_CROWD: SingleCommand = { kind: 'create', which: 0, type: 'watched', by: 'bench' }

async function performCrowd({ calls, failsSync, loss }: Crowd, world: World, number: number): Promise<void> {
  if (failsSync) world.spoilDisk(1, 1)
  const answers = await startCrowd(calls, world, number)
  await driven(world, Promise.all(answers))
  if (failsSync) {
    await world.recover()
    // Writes the pending changes before the next call.
    await world.flush()
    await driven(world, doSingle(LAST_OF_CROWD, world, number + 7 / 8))
  }
  await losePower(loss, world)
}

async function losePower(share: number | undefined, world: World): Promise<void> {
  if (share === undefined) return
  world.crash('power-lost', share)
  await world.start()
}

async function startCrowd(
  calls: readonly CrowdCall[],
  world: World,
  number: number,
): Promise<readonly Promise<unknown>[]> {
  const answers: Promise<unknown>[] = []
  for (const [index, { call, turns }] of calls.entries()) {
    answers.push(doSingle(call, world, number + index / 8))
    for (let count = 0; count < turns; count++) await world.turn()
  }
  return answers
}

async function doSingle(command: SingleCommand, world: World, number: number): Promise<unknown> {
  const { platform } = world
  switch (command.kind) {
    case 'register': {
      const type = typeToRegister(command)
      const { generation, receiver, enabled } = command
      const url = receiverUrl(generation, type, receiver)
      return platform.service('POST', `/${generation}`, { url, object_type: type, enabled })
    }
    case 'change-registration': {
      const registration = pick(registrationsOf(world), command.which)
      if (!registration) return undefined
      const { generation, object_type, id } = registration
      const body = {
        enable: { enabled: true },
        disable: { enabled: false },
        move: { url: receiverUrl(generation, object_type, command.receiver) },
        describe: { description: `as of command ${number}` },
      }[command.change]
      return platform.service('PATCH', `/${generation}/${id}`, body)
    }
    case 'delete-registration': {
      const registration = pick(registrationsOf(world), command.which)
      return registration && platform.service('DELETE', `/${registration.generation}/${registration.id}`)
    }
    case 'create':
      return create(command, world, number)
    case 'change':
      for (let time = 0; time < command.times; time++) {
        const object = pick(objectsOf(world, command.among), command.which + time)
        await change(object, world, { number: number + time / 16, choice: command.which + time })
      }
      return undefined
    case 'play': {
      const { payment: kind, outcome, pace } = command
      const outcomes = paymentOutcomes(kind)
      return platform.bench('POST', '/payments', { kind, outcome: outcomes[outcome % outcomes.length], pace })
    }
    case 'step': {
      const { view } = world.sandbox().assembled.context
      const payment = pick(view.paymentsBetween(0, view.paymentCount()), command.which)
      return payment && platform.bench('POST', `/payments/${payment.id}/next`)
    }
    case 'advance':
      return platform.bench('POST', '/clock/advance', { by: `${command.minutes}m` })
    case 'resend': {
      const jobs = world.sandbox().assembled.store.jobs()
      const failed = jobs.filter(({ status }) => status === 'failed')
      const job = pick(failed.length > 0 && command.which % 4 > 0 ? failed : jobs, command.which)
      return job && platform.bench('POST', `/jobs/${job.id}/resend`)
    }
    case 'list':
      return askForList(command, world)
    case 'refused': {
      const refused = pick(REFUSED_CALLS, command.which)
      return refused && platform[refused.listener](refused.method, refused.path, refused.body)
    }
    default:
      return command satisfies never
  }
}

function create(
  { which, type, by }: Extract<SingleCommand, { readonly kind: 'create' }>,
  world: World,
  number: number,
): Promise<unknown> {
  const { platform } = world
  const watched = pick(watchedTypes(world), which)
  const object_type = type === 'watched' ? (watched ?? 'items') : type
  const id = plannedId(number)
  if (by === 'service' && object_type === 'users') {
    const body = { id, first_name: 'Neve', last_name: `${number}`, email: 'n@example.test', country: 'AUS' }
    return platform.service('POST', '/users', body)
  }
  return platform.bench('POST', `/objects/${object_type}`, object_type === 'accounts' ? { uuid: id } : { id })
}

/** Returns the id of a new object. The id is known even if the response is lost. */
function plannedId(number: number): string {
  return `00000000-0000-4000-8000-${String(number * 8).padStart(12, '0')}`
}

async function change(
  object: KnownObject | undefined,
  world: World,
  { number, choice }: ChangePlace,
): Promise<unknown> {
  if (!object) return undefined
  const { type, id } = object
  const { platform } = world
  const state = stateOf(object, world)
  switch (type) {
    case 'items':
      return platform.service('PATCH', `/items/${id}`, { description: `as of command ${number}` })
    case 'users':
      return platform.service('PATCH', `/users/${id}`, { custom_descriptor: `command ${number}` })
    case 'companies':
      return platform.bench('PATCH', `/objects/companies/${id}`, { legal_name: `Company of ${number}` })
    case 'accounts':
      return platform.bench('PATCH', `/objects/accounts/${id}`, { state: `as of command ${number}` })
    case 'transactions':
    case 'batch_transactions':
    case 'disbursements':
    case 'virtual_accounts': {
      const to = FOLLOWING_STATES[state ?? ''] ?? ['successful']
      const transition = { to: pick(to, choice) }
      return platform.bench('POST', `/objects/${type}/${id}/transitions`, transition)
    }
    default:
      return type satisfies never
  }
}

/** The possible next states after each state, from the service's document. States that are not listed are final. Source: §3 */
const FOLLOWING_STATES: Readonly<Record<string, readonly string[]>> = {
  batched: ['bank_processing'],
  bank_processing: ['successful', 'invalid_account_details', 'cancelled'],
  bpay_pending: ['successful'],
  pending_activation: ['active', 'activation_failed'],
}
