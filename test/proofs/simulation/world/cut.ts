import type { CrashSide } from './simulated-disk.ts'

/** Where the process is to end during a command. */
export type CrashPoint =
  | { readonly after: 'events'; count: number }
  | { readonly after: 'writes'; count: number; readonly side: CrashSide }

/** Whether the present process was cut off, and where it will be. */
export interface Cut {
  readonly isCut: boolean
  /** Cuts the process off at once. */
  now(): void
  /** Cuts the process off at a point; at none if it is left out. */
  at(point: CrashPoint | undefined): void
  /** Called before each event. Returns true if the process was cut off. */
  atEvent(): boolean
  /** Called at each transaction. Returns whether it is made, or where in it the process ends. */
  atWrite(): 'write' | CrashSide
  /** Another process begins. */
  renew(): void
}

export function createCut(): Cut {
  let point: CrashPoint | undefined
  let isCut = false
  return {
    get isCut() {
      return isCut
    },
    now() {
      isCut = true
    },
    at(next) {
      point = next && { ...next }
    },
    atEvent() {
      if (point?.after === 'events' && point.count-- <= 0) isCut = true
      return isCut
    },
    atWrite() {
      if (point?.after !== 'writes' || point.count-- > 0) return 'write'
      isCut = true
      return point.side
    },
    renew() {
      isCut = false
    },
  }
}
