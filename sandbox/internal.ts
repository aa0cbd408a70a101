// The parts of the sandbox that the contract tests use, in addition to the public API. The package does not export this file.
export { replaceFile } from './adapters/files.ts'
export { findKeptWorldPlace } from './adapters/kept-world-place.ts'
export { createRecoveryFile } from './adapters/kept-world-place.ts'
export { secretText } from './adapters/secrets.ts'
export { checkServerIdentity } from './adapters/server-identity.ts'
export { commandLine, quoteForShell, startSentence } from './engine/core/command-line.ts'
export { findRun, openDataFolder } from './adapters/data-folder.ts'
export { collect, milliseconds, withChoices, withoutUndefined, wholeNumber } from './cli/option-values.ts'
export { parseWorldName } from './cli/sandbox-flags.ts'
export { parseSourceAddresses, readConfigFile, validateConfig } from './cli/config.ts'
export { printWarning, UsageError } from './cli/failure.ts'
export type { Manual } from './cli/manual.ts'
export { adviseOnLeftWorlds, restoreLeftWorldCommand } from './adapters/kept-world-place.ts'
export { warnOfLiveSecrets } from './cli/live-secret-warnings.ts'
export { printError } from './cli/up-lines.ts'
export { onStopSignal } from './cli/stop-signals.ts'
export { ApiError } from './engine/core/api-error.ts'
export { createSeededRandom } from './engine/core/random.ts'
export { notificationBody } from './engine/notifications/body.ts'
export { findNotifiedGenerations } from './engine/notifications/triggers.ts'
export { partyFields } from './engine/objects/item-parties.ts'
export { nextStates } from './engine/objects/transitions.ts'
export { createEgress, parseUrl } from './engine/delivery/egress.ts'
export { serviceMessage } from './engine/delivery/message.ts'
export { maxConcurrentDeliveries } from './adapters/transport/descriptor-limit.ts'
export { createUndiciTransport } from './adapters/transport/undici-transport.ts'
export type { Transport } from './engine/core/ports.ts'
export { createMask, MASK, maskHeaders, maskText, urlTokens } from './engine/core/masking.ts'
export { isPredictable } from './engine/core/secret-strength.ts'
export { breakCommand, toPrintable, toPrintableJson } from './engine/core/short-text.ts'
export { ListenError } from './adapters/listen-error.ts'
export { checkArgument, isObjectWith } from './in-process/arguments.ts'
export { serveSandbox } from './compose/serve-sandbox.ts'
export {
  environmentCredentials,
  givenCredentials,
  withCredentialOptions,
  type CredentialFlags,
  findCredentials,
} from './cli/credential-options.ts'
export { defaultCredentials, defaultSettings, type Credentials } from './engine/core/settings.ts'
export { describeFlags } from './engine/delivery/exchange-flags.ts'
export { leaveFrom, type SourceAddresses } from './engine/delivery/message.ts'
export {
  findControlAddress,
  findTokenFor,
  findTrustedCas,
  isReadableByOthers,
  serviceUrlBeside,
  type ControlAddress,
} from './client/control-address.ts'
export { createControlClient } from './client/control-client.ts'
export { UnreachableError } from './client/unreachable.ts'
export { readSnapshot, writeSnapshot } from './client/snapshots.ts'
export { explainNoAnswer } from './client/no-answer.ts'
export { createServiceClient, type Registrations } from './client/service-client.ts'
export { RefusedError } from './client/requests.ts'
export { fetchTrusting } from './client/trusting-fetch.ts'
export type { Judge, JudgedSandbox, PlannedRun } from './api/control/judge.ts'
export type { Perform } from './compose/perform.ts'
