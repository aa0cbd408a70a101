import { amounts } from './amounts.ts'
import { brokenJson, otherContentTypes, otherTypeOnUrl } from './broken.ts'
import { extendedBatchTransactions, flatVirtualAccounts, nullLinks, nulls, payinDetails } from './forms.ts'
import { unknownFields, unknownStates, unknownType } from './future.ts'
import { oddIds } from './ids.ts'
import { longAndForeignText, otherSpelling } from './text.ts'
import type { ReceiverCheck } from '../../toolkit/check-context.ts'

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
