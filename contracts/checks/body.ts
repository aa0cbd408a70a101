import type { Check } from '../check.ts'
import { amounts } from './body-amounts.ts'
import { brokenJson, otherContentTypes, otherTypeOnUrl } from './body-broken.ts'
import {
  extendedBatchTransactions,
  flatVirtualAccounts,
  nullLinks,
  nulls,
  payinDetails,
} from './body-forms.ts'
import { unknownFields, unknownStates, unknownType } from './body-future.ts'
import { oddIds } from './body-ids.ts'
import { longAndForeignText, otherSpelling } from './body-text.ts'

export const bodyChecks: readonly Check[] = [
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
