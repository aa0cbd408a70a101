import { createHash } from 'node:crypto'
import { errorMessage } from '../../spec/errors.ts'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import { EARLIER_NOTIFICATIONS, NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import { MODELS } from '../../spec/generated/models.ts'
import { isOfFormat } from '../../spec/json-values.ts'
import { isNotifiedType, kindOf, type NotifiedType } from '../../spec/notifications.ts'
import { paymentSteps } from '../../spec/payments.ts'
import { readingValues } from '../../spec/readings.ts'
import type { Validator } from '../../spec/validator.ts'
import { controlValidators, validators } from '../../spec/validators.ts'
import type { Translator } from '../../spec/vocabulary.ts'
import { toProblem } from '../api/operations/validation-problem.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { FASTEST } from '../engine/core/ports.ts'
import { LATEST_NOW } from '../engine/core/timestamp.ts'
import { type Egress, parseUrl } from '../engine/delivery/egress.ts'
import { readFault } from '../engine/faults/read-fault.ts'
import { parsePaymentForm, parsePaymentKind, parsePaymentOutcome } from '../engine/payments/play.ts'
import { toBankAccount, toCardAccount, toWalletAccount } from '../engine/objects/accounts.ts'
import type { AccountOwner, Entry, FaultRule, Payment } from '../engine/state/entries.ts'
import type { RequestRecord, Snapshot, SnapshotEntry } from '../../spec/generated/control-types.ts'
import { startSentence } from '../engine/core/command-line.ts'

export function refuseUnfitFrame({ clock, readings }: SnapshotFrame): void {
  const now = Date.parse(clock.now)
  if (!(clock.speed >= 0 && clock.speed <= FASTEST) || !(now >= 0 && now <= LATEST_NOW))
    refuseDamaged('clock', 'the clock shows no valid time or runs too fast')
  withReason({ field: 'readings', what: '' }, () => readingValues(readings))
}

export interface FitnessPorts {
  readonly egress: Egress
  readonly translator: Pick<Translator, 'inward'>
}

/** Throws ApiError for an entry that this version cannot restore. The entry has already passed schema validation. */
export function refuseUnfitEntry(entry: Entry, index: number, { egress, translator }: FitnessPorts): void {
  const { head } = entry
  if (head.at > LATEST_NOW) refuseEntry(index, 'the time of the entry is outside the range of the clock')
  const body = readEntryBody(entry)
  if (body === undefined) refuseEntry(index, 'the body is not JSON')
  if (head.kind === 'object') refuseUnfitBody(index, { what: head.object_type, body })
  if (head.kind === 'object' && head.owner) refuseUnfitOwner(index, head.owner, body)
  if (head.kind === 'attempt' || head.kind === 'attempt-start')
    refuseUnfitBody(index, { what: 'an exchange', body, validator: controlValidators.StoredExchange })
  if (head.kind === 'crafted')
    refuseUnfitBody(index, { what: 'a crafted delivery', body, validator: controlValidators.StoredDelivery })
  if (head.kind === 'registration') {
    const target = egress.judgeUrl(head.registration.url)
    if (target.kind === 'refused') refuseEntry(index, target.refusal.message)
    refuseUnfitId(index, head.registration.id)
  }
  if (head.kind === 'job' || head.kind === 'attempt' || head.kind === 'attempt-start') {
    const url = parseUrl(head.url)
    if ('code' in url) refuseEntry(index, url.message)
  }
  if (head.kind === 'job') {
    refuseUnfitId(index, head.id)
    // Translates the platform's words in the body into the document's words, which the control API uses.
    const payload = Object(translator.inward(body))
    refuseUnfitBody(index, { what: 'a notification', body: payload, validator: payloadOf(head.object_type) })
  }
  withReason({ field: 'entries', what: `entry ${index + 1}: ` }, () => {
    if (head.kind === 'readings') readingValues(head.chosen)
    if (head.kind === 'next-outcome')
      parsePaymentOutcome(parsePaymentKind(head.payment_kind, 'decide the next'), head.outcome ?? undefined)
    if (head.kind === 'payment') refuseUnfitPayment(head.payment)
    if (head.kind === 'fault') refuseUnfitFault(head.fault)
  })
}

export function refuseDamaged(field: string, why: string): never {
  const message = `Cannot restore the snapshot: ${why}. ${startSentence(OPERATIONS.putSnapshot.body.remedy)}`
  throw new ApiError('invalid', { code: 'damaged_snapshot', field, message })
}

function refuseEntry(index: number, why: string): never {
  return refuseDamaged('entries', `entry ${index + 1}: ${why}`)
}

/** Throws ApiError for an id that is not a UUID, because the service identifies registrations and jobs by UUIDs. */
function refuseUnfitId(index: number, id: string): void {
  if (!isOfFormat(id, 'uuid')) refuseEntry(index, `the id "${id}" is not a UUID`)
}

/** Throws ApiError for an invalid owner. Some fields in the service's replies come only from this record. */
function refuseUnfitOwner(index: number, owner: AccountOwner, account: object): void {
  if (!validators.Account(account)) return
  const shown = { bank: toBankAccount, card: toCardAccount, wallet: toWalletAccount }[owner.account_kind]
  const validator = {
    bank: validators.BankAccount,
    card: validators.CardAccount,
    wallet: validators.WalletAccount,
  }
  refuseUnfitBody(index, {
    what: 'an account',
    body: shown(account, owner),
    validator: validator[owner.account_kind],
  })
}

function payloadOf(type: string): Validator<unknown> | undefined {
  const all: Readonly<Record<string, Validator<unknown>>> = validators
  const rows: Readonly<Record<string, { readonly schema: string }>> = {
    ...NOTIFICATIONS,
    ...EARLIER_NOTIFICATIONS,
  }
  return all[rows[type]?.schema ?? '']
}

interface StoredBody {
  readonly what: NotifiedType | 'an exchange' | 'a crafted delivery' | 'a notification' | 'an account'
  readonly body: object
  /** The validator. Defaults to the validator of the object's type. */
  readonly validator?: Validator<unknown> | undefined
}

/** Throws ApiError for a body that violates its schema, because the sandbox returns and sends restored bodies. */
function refuseUnfitBody(index: number, { what, body, validator: given }: StoredBody): void {
  const all: Readonly<Record<string, Validator<unknown>>> = validators
  const validator = given ?? all[schemaOf(what, body)]
  const [error] = validator?.findAll(body) ?? []
  if (!error) return
  const { message } = toProblem(error, { ...body }, { wording: 'control' })
  refuseEntry(index, `the body is not valid for ${what}: ${message}`)
}

function schemaOf(what: string, body: object): string {
  return isNotifiedType(what) ? (kindOf(what, body) ?? MODELS[what].schema) : ''
}

function refuseUnfitPayment({ kind: name, outcome, via, step, steps }: Payment): void {
  const kind = parsePaymentKind(name, 'put back')
  parsePaymentOutcome(kind, outcome)
  parsePaymentForm(kind, via)
  const most = paymentSteps(kind, outcome).length
  if (step > steps || steps > most) throw new RangeError(`a ${kind} has no step ${step} of ${steps}`)
}

/** Throws ApiError for a fault that a user could not add through the control API. */
function refuseUnfitFault({ id, times, settings, ...rule }: FaultRule): void {
  const request = { ...rule, ...(times !== null && { times }), ...settings }
  const [error] = controlValidators.FaultRequest.findAll(request)
  if (error) throw new RangeError(toProblem(error, request, { wording: 'control' }).message)
  readFault(request, { newId: () => id, newNumber: () => rule.seed })
}

function withReason(
  { field, what }: { readonly field: string; readonly what: string },
  run: () => void,
): void {
  try {
    run()
  } catch (error) {
    refuseDamaged(field, what + errorMessage(error))
  }
}

const KINDS_WITH_JSON: ReadonlySet<string> = new Set(['object', 'job', 'attempt-start', 'attempt', 'crafted'])

/** Parses the body of an entry. Returns an empty object for entry kinds without a JSON body, and undefined for an invalid body. */
function readEntryBody({ head, body }: Entry): object | undefined {
  if (!KINDS_WITH_JSON.has(head.kind)) return {}
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export type SnapshotFrame = Omit<Snapshot, 'entries' | 'requests' | 'checksum'>

/** Creates the checksum of a streamed snapshot. The order of JSON keys does not change the checksum. */
export function createSnapshotChecksum() {
  const [entries, requests] = [createHash('sha256'), createHash('sha256')]
  return {
    addEntry: ({ head, body }: SnapshotEntry) =>
      void entries.update(`${JSON.stringify([sortKeys(head), body])}\n`),
    addRequest: (request: RequestRecord) => void requests.update(`${JSON.stringify(sortKeys(request))}\n`),
    digest({ format, version, clock, chance, readings }: SnapshotFrame): string {
      const lists = [entries.digest('hex'), requests.digest('hex')]
      const whole = [format, version, sortKeys(clock), chance, sortKeys(readings), lists]
      return createHash('sha256').update(JSON.stringify(whole)).digest('hex')
    },
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sortKeys(child)])
}
