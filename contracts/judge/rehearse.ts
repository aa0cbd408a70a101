import { dirname, resolve } from 'node:path'
import type { RehearsalRequest, RehearsalResult } from '../../spec/generated/control-types.ts'
import { configContext } from '../config/config-context.ts'
import { createRunOptions } from '../config/run-options.ts'
import type { Config } from '../config/config.ts'
import { configLiteral, type RehearsalRepeat } from '../report/repeat.ts'
import { toRehearsalResult } from '../report/rehearsal-result.ts'
import { receiverUrls } from '../run/receiver-urls.ts'
import { runRehearsal, type RehearsalOutcome, type RehearsalWishes } from '../run/rehearse.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { planRehearsal, type RehearsalPlan, type RehearsalWish } from '../toolkit/rehearsal-plan.ts'
import { paymentKinds } from '../../spec/payments.ts'
import { readingValues } from '../../spec/readings.ts'
import { checkArgument, isObjectWith, quoteForShell, readConfigFile } from '../../sandbox/internal.ts'
import { withRegisteredReceiver } from './registered-receiver.ts'

export type { RehearsalRequest, RehearsalResult } from '../../spec/generated/control-types.ts'

const REQUEST = {
  takes: "an object with a kind of payment, such as { kind: 'card-payin' }",
  fits: (given: unknown) => isObjectWith(given, { kind: 'string' }),
}

/**
 * Plays a payment anew and notifies your receiver of it in this order. `config` is a configuration, or the name of its file;
 * the receiver is the one that is registered at the sandbox that runs, where it names none. Throws UsageError, with the remedy,
 * for what cannot be rehearsed.
 */
export async function rehearse(
  config: Config | string,
  rehearsal: RehearsalRequest,
): Promise<RehearsalResult> {
  checkArgument('call rehearse()', ['request', REQUEST], rehearsal)
  const { shrink = false, ...request } = rehearsal
  const isFile = typeof config === 'string'
  const given = isFile ? await readConfigFile(config) : { ...config }
  const context = configContext({
    name: isFile ? `config "${config}"` : 'what rehearse() is given',
    folder: isFile ? dirname(resolve(config)) : '.',
  })
  const options = createRunOptions(await withRegisteredReceiver({ ...given }, context), context)
  const outcome = await rehearseWith(options, request, { shrinks: shrink })
  const command = `npx hookbench rehearse ${request.kind}${isFile ? ` --config ${quoteForShell(config)}` : ''}`
  const repeat: RehearsalRepeat = { request, command, config: isFile ? configLiteral(config) : 'config' }
  return toRehearsalResult(outcome, { options, repeat })
}

/** What cannot be rehearsed is refused before anything is opened. */
export function rehearseWith(
  options: RunOptions,
  request: RehearsalWish,
  wishes: RehearsalWishes,
): Promise<RehearsalOutcome> {
  return runRehearsal(options, planFor(options, request), wishes)
}

/** Throws UsageError with the remedy. */
export function planFor(options: RunOptions, request: RehearsalWish): RehearsalPlan {
  const { receiver, consequences } = options
  return planRehearsal(request, {
    receiver: receiverUrls(receiver),
    profile: {
      readings: readingValues(options.readings),
      consequences,
      unused: paymentKinds.filter((kind) => consequences[kind] === null),
    },
    calls: { observable: receiver.callsBack },
  })
}
