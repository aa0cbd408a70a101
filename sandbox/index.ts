export { createSandbox } from './in-process/create-sandbox.ts'
export type { SandboxOptions } from './in-process/sandbox-options.ts'
export {
  toReceiver,
  type ReceiverOptions,
  type RequestListener,
  type RoutingApplication,
} from './adapters/listener-receiver.ts'
export type { ChangedFields, DeliverOptions, NewFields, PlayOptions, Sandbox } from './in-process/sandbox.ts'
export type { Delivery } from './in-process/deliveries.ts'
export type { DeliveryMatch } from './in-process/delivery-match.ts'
export type { GenerationReceivers, ReceiverFunction, Receivers } from './in-process/receivers.ts'
