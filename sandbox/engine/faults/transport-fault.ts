import type { Transport } from '../core/ports.ts'
import type { FaultSettings } from '../state/fault.ts'

/** A fault of deliveries: a transport around a transport. */
export type TransportFault = (inner: Transport, settings: FaultSettings) => Transport
