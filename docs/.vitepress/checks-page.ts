import { catalogue } from '../../contracts/catalogue.ts'
import { requiredLevel } from '../../contracts/check.ts'
import { explainJson } from '../../contracts/report/catalogue-text.ts'
import { LEVELS } from '../../contracts/report/report.ts'
import { topicOf } from '../../contracts/run/select.ts'

type ReceiverCheck = (typeof catalogue)[number]

/** The description of each topic of checks. */
const TOPICS: Readonly<Record<string, string>> = {
  registration: 'The URLs and their test POST, before the first notification.',
  transport: 'The certificate of the receiver.',
  http: 'The forms of a notification request, and the answers of the receiver.',
  body: 'Valid, unusual, future and broken bodies.',
  idempotency: 'Duplicate notifications.',
  order: 'States that arrive late, early, out of order, or never.',
  trust: 'Forged bodies, ids, links and senders, and a service that fails.',
  signature: 'Signed, forged, old and unusual webhooks.',
  recovery: 'Crashes, outages and missed notifications.',
  oracle: 'Random worlds, compared with the state of the service.',
}

/** Returns the page that lists every check with its anchor, generated from the catalogue. */
export function checksPage(): string {
  const topics = Map.groupBy(catalogue, topicOf)
  const musts = catalogue.filter(({ severity }) => severity === 'must').length
  return [
    '# Checks',
    '',
    `\`hookbench check\` has ${catalogue.length} checks, listed in the order in which they run. ${musts} checks are required (_must_). Required checks follow from`,
    "the service's document, or protect money. The other checks are recommendations (_should_). Each failure prints a link to this page.",
    '`npx hookbench check --explain ID` prints the same text offline.',
    '',
    'A check observes the _answers_ of your receiver, its calls to the service (_calls back_), its _effects_, or its _process_, which the check',
    'stops and starts. [How a good receiver works](../how-a-good-receiver-works.md) has a solution for each check.',
    '',
    '| Topic | Checks | About |',
    '| --- | ---: | --- |',
    ...[...topics].map(
      ([topic, checks]) => `| [${topic}](#${topic}) | ${checks.length} | ${TOPICS[topic]} |`,
    ),
    ...[...topics].flatMap(([topic, checks]) => [
      '',
      `## ${topic}`,
      '',
      TOPICS[topic] ?? '',
      ...checks.flatMap(checkLines),
    ]),
    '',
  ].join('\n')
}

function checkLines(check: ReceiverCheck): readonly string[] {
  const { source, readings, observed } = explainJson(check)
  return [
    '',
    `### ${check.id}`,
    '',
    `**${check.severity}** · ${LEVELS[requiredLevel(check)]}. ${escapeMarkdown(check.requirement)}`,
    '',
    `- **Meaning**: ${escapeMarkdown(check.meaning)}`,
    `- **Fix**: ${escapeMarkdown(check.remedy)}`,
    `- **Observed**: ${escapeMarkdown(observed.join(' '))}`,
    ...(source ?? []).map((line) => `- **Document**: ${escapeMarkdown(line)}`),
    ...readings.map((line, index) => `- **Reading**: ${readingLink(check.readings?.[index] ?? '', line)}`),
  ]
}

function readingLink(id: string, line: string): string {
  return `[${id}](readings.md#${id})${escapeMarkdown(line.slice(id.length))}`
}

/** Escapes the characters that have a meaning in Markdown or Vue. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`)
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{&#123;')
}
