import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import { answersInTime } from './answer-time.ts'
import { acceptsGoldenBodies, contentTypeWithCharset, noRedirect, smallAnswers } from './answers.ts'
import { noBrowserNeeded } from './browser.ts'
import { chunkedBody } from './chunks.ts'
import { otherMethods } from './methods.ts'

export const httpChecks: readonly ReceiverCheck[] = [
  acceptsGoldenBodies,
  noRedirect,
  answersInTime,
  smallAnswers,
  contentTypeWithCharset,
  chunkedBody,
  otherMethods,
  noBrowserNeeded,
]
