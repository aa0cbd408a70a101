import { amounts, oddIds } from './checks/body/values.ts'
import { brokenJson, otherContentTypes, otherTypeOnUrl } from './checks/body/broken.ts'
import {
  extendedBatchTransactions,
  flatVirtualAccounts,
  nullLinks,
  nulls,
  payinDetails,
} from './checks/body/forms.ts'
import { unknownFields, unknownStates, unknownType } from './checks/body/future.ts'
import { longAndForeignText, otherSpelling } from './checks/body/text.ts'
import {
  answersInTime,
  acceptsGoldenBodies,
  contentTypeWithCharset,
  noRedirect,
  smallAnswers,
} from './checks/http/answers.ts'
import { chunkedBody, noBrowserNeeded, otherMethods } from './checks/http/requests.ts'
import { changeChecks, samePayerChecks } from './checks/idempotency/changes.ts'
import { interruptionChecks, restartChecks } from './checks/idempotency/interruptions.ts'
import { lateRepetitionChecks } from './checks/idempotency/late-repetition.ts'
import { repetitionChecks } from './checks/idempotency/repetitions.ts'
import { oracleChecks } from './checks/oracle/index.ts'
import { anySequenceCheck, arrivalChecks } from './checks/order/arrivals.ts'
import { companionChecks, outcomeChecks } from './checks/order/outcomes.ts'
import { killChecks } from './checks/recovery/kills.ts'
import { missedNotificationChecks, outageChecks } from './checks/recovery/outages.ts'
import { acceptsTestPost, anyTestText, testPostWithoutEffect } from './checks/registration/test-post.ts'
import { unguessableUrl, urlForm } from './checks/registration/url.ts'
import { forgeryChecks } from './checks/signature/forgeries.ts'
import { headerChecks, unsignedCallbacksCheck, timeChecks } from './checks/signature/headers.ts'
import {
  expiresSoon,
  nameAndValidity,
  notSelfSigned,
  sendsIntermediates,
  trustedChain,
} from './checks/transport/certificate.ts'
import { endpointChecks } from './checks/trust/endpoint.ts'
import { hostileIdsCheck } from './checks/trust/hostile-ids.ts'
import { hostileTextChecks } from './checks/trust/hostile-text.ts'
import { lieChecks } from './checks/trust/lies.ts'
import { hostileLinksCheck, lookupChecks } from './checks/trust/lookups.ts'
import { retryChecks } from './checks/trust/retries.ts'
import { sourceChecks } from './checks/trust/sources.ts'
import { troubleChecks } from './checks/trust/trouble.ts'
import { wrongPartyCheck } from './checks/trust/wrong-party.ts'
import type { ReceiverCheck } from './toolkit/check-context.ts'

export const bodyChecks: readonly ReceiverCheck[] = [
  unknownFields,
  nulls,
  payinDetails,
  oddIds,
  extendedBatchTransactions,
  nullLinks,
  flatVirtualAccounts,
  amounts,
  longAndForeignText,
  otherSpelling,
  unknownStates,
  unknownType,
  otherTypeOnUrl,
  brokenJson,
  otherContentTypes,
]

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

export const idempotencyChecks: readonly ReceiverCheck[] = [
  ...repetitionChecks,
  ...interruptionChecks,
  ...changeChecks,
  ...samePayerChecks,
  ...restartChecks,
  ...lateRepetitionChecks,
]

export const orderChecks: readonly ReceiverCheck[] = [
  ...arrivalChecks,
  ...outcomeChecks,
  ...companionChecks,
  anySequenceCheck,
]

export const recoveryChecks: readonly ReceiverCheck[] = [
  ...outageChecks,
  ...killChecks,
  // These checks advance the clock of the service.
  ...missedNotificationChecks,
]

export const registrationChecks: readonly ReceiverCheck[] = [
  acceptsTestPost,
  anyTestText,
  testPostWithoutEffect,
  urlForm,
  unguessableUrl,
]

export const signatureChecks: readonly ReceiverCheck[] = [
  ...forgeryChecks,
  ...timeChecks,
  ...headerChecks,
  unsignedCallbacksCheck,
]

export const transportChecks: readonly ReceiverCheck[] = [
  trustedChain,
  notSelfSigned,
  nameAndValidity,
  expiresSoon,
  sendsIntermediates,
]

export const trustChecks: readonly ReceiverCheck[] = [
  ...lookupChecks,
  ...lieChecks,
  wrongPartyCheck,
  hostileIdsCheck,
  hostileLinksCheck,
  ...troubleChecks,
  ...retryChecks,
  ...endpointChecks,
  ...sourceChecks,
  ...hostileTextChecks,
]

/** Every check, in the order of a run. */
export const catalogue: readonly ReceiverCheck[] = [
  ...registrationChecks,
  ...transportChecks,
  ...httpChecks,
  ...bodyChecks,
  ...idempotencyChecks,
  ...orderChecks,
  ...trustChecks,
  ...signatureChecks,
  ...recoveryChecks,
  ...oracleChecks,
]
