import type { paymentKinds } from '../../../spec/payments.ts'
import type { notifiedTypes } from '../../../spec/notifications.ts'
import type { CrashPoint } from './world/cut.ts'
import type { Setup } from './world/incarnation.ts'
import type { Behaviour } from './world/receivers.ts'
import type { Successor } from './world/saved-world.ts'
import type { DiskFailure } from './world/simulated-disk.ts'
import type { Interruption } from './world/world.ts'

/** What is done in a run, as data: it can be printed, shrunk and done again. */
export interface Plan {
  readonly setup: Setup
  readonly commands: readonly Command[]
}

/** `which` is taken modulo what there is when it comes to it. */
export type Command =
  | SingleCommand
  /** Both calls are under way at once. */
  | { readonly kind: 'pair'; readonly first: SingleCommand; readonly second: SingleCommand }
  | {
      readonly kind: 'crash'
      readonly during: SingleCommand
      readonly point: CrashPoint
      readonly loss: 'killed' | 'power-lost'
      /** How much is kept of what was written and is not safe yet. */
      readonly share: number
    }
  | ({ readonly kind: 'crowd' } & Crowd)
  /** Saves the world, when nothing is under way. */
  | { readonly kind: 'save' }
  /** Restores what was saved last, or resets: what happened since then did not happen. */
  | {
      readonly kind: 'replace'
      readonly successor: Successor
      /** Calls that are under way when it begins. */
      readonly meanwhile: readonly CrowdCall[]
      readonly interruption: Interruption | undefined
      readonly afterwards: Crowd
    }
  | { readonly kind: 'restart' }
  | { readonly kind: 'go-on'; readonly events: number }
  | { readonly kind: 'wall-clock'; readonly minutes: number }
  | {
      readonly kind: 'bad-disk'
      readonly failure: DiskFailure
      readonly times: number
      readonly after: number
    }
  | { readonly kind: 'behave'; readonly which: number; readonly behaviour: Behaviour }

/** Calls that are under way at once. */
export interface Crowd {
  readonly calls: readonly CrowdCall[]
  /** Whether the first sync finds the disk full; another call follows when there is room again. */
  readonly failsSync: boolean
  /** The power fails when all calls have ended, and this share of what was not synced is kept. */
  readonly loss: number | undefined
}

export interface CrowdCall {
  readonly call: SingleCommand
  /** How often everything that is ready runs before the next call. */
  readonly turns: number
}

export type SingleCommand =
  | {
      readonly kind: 'register'
      readonly generation: 'webhooks' | 'callbacks'
      readonly type: number
      readonly receiver: number
      readonly enabled: boolean
    }
  | {
      readonly kind: 'change-registration'
      readonly which: number
      readonly change: 'enable' | 'disable' | 'move' | 'describe'
      readonly receiver: number
    }
  | { readonly kind: 'delete-registration'; readonly which: number }
  | {
      readonly kind: 'create'
      readonly which: number
      readonly type: (typeof notifiedTypes)[number] | 'watched'
      readonly by: 'service' | 'bench'
    }
  | {
      readonly kind: 'change'
      readonly which: number
      readonly among: 'all' | 'watched'
      readonly times: number
    }
  | {
      readonly kind: 'play'
      readonly payment: (typeof paymentKinds)[number]
      readonly outcome: number
      readonly pace: string
    }
  | { readonly kind: 'step'; readonly which: number }
  | { readonly kind: 'advance'; readonly minutes: number }
  | { readonly kind: 'resend'; readonly which: number }
  | ({
      readonly kind: 'list'
      readonly list: 'failed' | 'registrations' | 'responses' | 'job' | 'show' | 'control'
    } & { readonly which: number; readonly limit: number })
  | { readonly kind: 'refused'; readonly which: number }
