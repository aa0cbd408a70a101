import type { PaymentRow } from '../../spec/payments.ts'

export interface Lifecycles {
  readonly objects: Readonly<Record<string, ObjectLifecycle>>
  readonly participants: Readonly<Record<string, string>>
  readonly payments: Readonly<Record<string, PaymentRow>>
}

interface Origin {
  readonly source?: string
  readonly reading?: string
}

export interface ObjectLifecycle {
  readonly states: Readonly<Record<string, Origin & { readonly code?: number; readonly with?: string }>>
  readonly initial?: string
  readonly transitions?: readonly Transition[]
  readonly kinds?: Readonly<Record<string, readonly Transition[]>>
}

export interface Transition extends Origin {
  readonly from: string | null
  readonly to: string
  readonly trigger: string
  readonly condition?: string
}
