import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  expiresSoon,
  nameAndValidity,
  notSelfSigned,
  sendsIntermediates,
  trustedChain,
} from './certificate.ts'

export const transportChecks: readonly ReceiverCheck[] = [
  trustedChain,
  notSelfSigned,
  nameAndValidity,
  expiresSoon,
  sendsIntermediates,
]
