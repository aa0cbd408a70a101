import { catalogue } from '../../contracts/catalogue.ts'
import { CONFIG_DEFAULTS } from '../../spec/generated/config-schemas.ts'
import { otherFailures, type Defect } from '../receivers/defects/defect.ts'
import { DEFECTS, startWithDefect } from '../receivers/defects.ts'
import { judged } from './judged-receiver.ts'
import { startProgram } from './receiver-program.ts'
import type { ReceiverCheck } from '../../contracts/toolkit/check-context.ts'

const form = process.env['HOOKBENCH_KILL_MATRIX']

/** True for `npm run kill-matrix`, which also tests careful receivers and defects that need a process. */
export const IS_COMPLETE = form !== undefined

/** True if all checks run against each defect. Otherwise, only the check that must detect the defect runs. */
const IS_WHOLE = form === 'whole' || form === 'shipped'

/** True for the complete matrix with the default time windows. */
export const HAS_SHIPPED_WINDOWS = form === 'shipped'

const { windowMs, budgetMs, settleMs, warnMs } = CONFIG_DEFAULTS

export const WINDOWS = HAS_SHIPPED_WINDOWS ? { windowMs, budgetMs, settleMs, warnMs } : {}

/** Returns true if the check waits to verify that certain effects or calls do not happen. */
const judgesAbsence = ({ needs = [], uses = [] }: Pick<ReceiverCheck, 'needs' | 'uses'>) =>
  [...needs, ...uses].some((need) => need === 'effects' || need === 'calls')

/** Selects the checks for a defect. An exploration runs alone, because other checks add calls. */
function checksFor(defect: Defect): readonly ReceiverCheck[] {
  const topic = topicOf(defect.check)
  return catalogue.filter(({ id, ...check }) => {
    if (!IS_WHOLE) return id === defect.check
    if (topic === 'oracle') return topicOf(id) === topic
    return !HAS_SHIPPED_WINDOWS || judgesAbsence(check)
  })
}

/** The signature secret. Some defects are visible only with signed webhooks, and other defects only with unsigned webhooks. */
const SECRET = 'a-secret-of-32-characters-or-more'

export function topicOf(check: string): string {
  return check.slice(0, check.indexOf('/'))
}

function declaredOf(defect: Defect): readonly string[] {
  return [defect.check, ...otherFailures(defect)].toSorted()
}

export function expectedOf(defect: Defect): readonly string[] {
  const met = new Set(checksFor(defect).map(({ id }) => id))
  return declaredOf(defect).filter((id) => met.has(id))
}

/** Returns the reason for skipping the defect. Undefined if the run tests the defect. */
export function whyLeftOut(defect: Defect): string | undefined {
  return IS_COMPLETE || !isProgram(defect)
    ? undefined
    : 'it is a program that is started and stopped: npm run kill-matrix'
}

function isProgram(defect: Defect): boolean {
  return (
    defect.isProgram === true ||
    catalogue.some(({ id, needs }) => id === defect.check && needs?.includes('process') === true)
  )
}

/** Returns the ids of the failed checks. Prints the inconclusive checks. */
export async function failedBy(defect: Defect, exploreMs = 0): Promise<readonly string[]> {
  const { name, certificate } = defect
  const { results } = await judged({
    checks: checksFor(defect),
    start: (options, folder) =>
      isProgram(defect) ? startProgram(options, { folder, defect: name }) : startWithDefect(name, options),
    certificate,
    secret: defect.isSigned === true ? SECRET : undefined,
    settings: { readings: defect.readings ?? {}, exploreMs, ...WINDOWS },
  })
  const inconclusive = results
    .filter(({ verdict }) => verdict === 'inconclusive')
    .map(({ check }) => check.id)
  if (inconclusive.length > 0) console.log(`${name} leaves inconclusive: ${inconclusive.join(', ')}`)
  return results
    .filter(({ verdict, check }) => verdict === 'failed' && !isByChance(check, defect))
    .map(({ check }) => check.id)
    .toSorted()
}

/** Returns the exploration durations to try until the defect is found, in milliseconds. Only `oracle` defects need exploration. */
export const explorationsFor = ({ check }: Defect) =>
  topicOf(check) === 'oracle' ? [8_000, 30_000, 60_000] : [0]

function isByChance({ id, needs = [], uses = [] }: ReceiverCheck, defect: Defect): boolean {
  const { mayFail = [] } = defect
  if (declaredOf(defect).includes(id)) return false
  return typeof mayFail === 'string' ? [...needs, ...uses].includes('effects') : mayFail.includes(id)
}

export function killMatrixPage(): string {
  const rows = catalogue.map(({ id }) => {
    const own = DEFECTS.filter(({ check }) => check === id).map(({ name }) => `\`${name}\``)
    const others = DEFECTS.filter((defect) => otherFailures(defect).includes(id)).map(
      ({ name }) => `\`${name}\``,
    )
    return `| \`${id}\` | ${own.join(', ')} | ${others.join(', ')} |`
  })
  const defects = DEFECTS.map((defect) => {
    const { name, about, check, mayFail = [] } = defect
    const others = otherFailures(defect).map((id) => `\`${id}\``)
    const atTimes = typeof mayFail === 'string' ? [mayFail] : mayFail.map((id) => `\`${id}\``)
    const fails = [...others, ...atTimes.map((each) => `at times ${each}`)].join(', ')
    return `| \`${name}\` | ${about} | \`${check}\` | ${fails} |`
  })
  return [
    '<!-- Generated by test/tools/kill-matrix.ts. Do not edit: run `npm run generate`. -->',
    '',
    '# The defects that each check finds',
    '',
    'The careful receiver passes every check. With one of these defects, the receiver fails exactly the listed checks.',
    '`npm run kill-matrix` tests each defect with its own check. `HOOKBENCH_KILL_MATRIX=whole npm run kill-matrix` tests each defect',
    'with every check.',
    '',
    '| Defect | Behaviour | Its check | Other failed checks |',
    '| --- | --- | --- | --- |',
    ...defects,
    '',
    '| Check | Its defect | Other defects that fail the check |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
