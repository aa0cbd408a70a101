import { catalogue } from '../../contracts/catalogue.ts'
import { requiredLevel } from '../../contracts/check.ts'
import { explainJson } from '../../contracts/report/catalogue-text.ts'
import { LEVELS } from '../../contracts/report/report.ts'
import { topicOf } from '../../contracts/run/select.ts'

type ReceiverCheck = (typeof catalogue)[number]

/** What each topic is about, in a sentence. */
const TOPICS: Readonly<Record<string, string>> = {
  registration: 'Before the first notification: the URLs, and the test POST to each of them.',
  transport: 'The certificate, as the service sees it.',
  http: 'What a POST of a notification may look like, and what is to be answered to it.',
  body: 'What a body may hold, today or tomorrow.',
  idempotency: 'The same thing told more than once.',
  order: 'States that come late, early, out of order, or not at all.',
  trust: 'Bodies, ids, links and senders that lie, and a service that cannot be asked.',
  signature: 'Webhooks that are signed, forged, old or odd.',
  recovery: 'What is lost when your receiver is stopped, killed or away.',
  oracle: 'Random worlds, judged by what the service knows.',
}

/** Every check with its anchor, from the catalogue that the program has. */
export function checksPage(): string {
  const topics = Map.groupBy(catalogue, topicOf)
  const musts = catalogue.filter(({ severity }) => severity === 'must').length
  return [
    '# Checks',
    '',
    `All ${catalogue.length} checks of \`hookbench check\`, in the order in which they run. ${musts} are a _must_: they follow from the service's`,
    'document, or guard money. The others are good practice where it is silent. Each failure prints the link to its place on this page;',
    '`npx hookbench check --explain ID` prints the same without a network.',
    '',
    'What a check looks at: the _answers_ alone, what your receiver _calls back_, its _effects_, or its _process_, which it stops and starts.',
    '[How a good receiver works](../how-a-good-receiver-works.md) says the same from the other side.',
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

/** As text: neither markup nor a template of Vue. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`)
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{&#123;')
}
