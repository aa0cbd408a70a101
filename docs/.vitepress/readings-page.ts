import { readings, type Reading } from '../../spec/readings.ts'
import { escapeMarkdown } from './checks-page.ts'

/** Returns the page that lists all readings, which answer open questions of the service's document. */
export function readingsPage(): string {
  const settings = readings.filter(({ kind }) => kind !== 'shape')
  const shapes = readings.filter(({ kind }) => kind === 'shape')
  return [
    '# Readings',
    '',
    "The service's document leaves some questions open, or answers them twice. A reading is the answer of this project to such a question. You",
    'can choose the readings of the first part, before a start or while the sandbox runs. The readings of the second part define the OpenAPI',
    'document. If production differs, change [the generated document](../guides/generate.md#where-production-differs).',
    '',
    '```sh',
    'npx hookbench up --reading retry-window=five-attempts --memory &',
    'npx hookbench ready',
    'npx hookbench readings                             # lists the readings with the chosen options',
    'npx hookbench readings set signature off           # while the sandbox runs',
    'npx hookbench down',
    '```',
    '',
    "In a configuration, write `readings: { signature: 'off' }`. A choice at run time is kept for later runs on the same data folder, unless a",
    'later start chooses another option. A check that depends on a reading names the reading, and its report names the option of the run.',
    '',
    '| Reading | Default | About |',
    '| --- | --- | --- |',
    ...settings.map(
      (one) => `| [${one.id}](#${one.id}) | \`${one.default}\` | ${escapeMarkdown(one.about)} |`,
    ),
    '',
    '## Readings to choose',
    ...settings.flatMap(readingLines),
    '',
    '## Readings of the OpenAPI document',
    ...shapes.flatMap(readingLines),
    '',
  ].join('\n')
}

function readingLines(reading: Reading): readonly string[] {
  const { id, about, source, why, options = {}, kind, minimum } = reading
  const isChosen = (option: string) => option === reading.default && kind !== 'shape'
  const least = minimum === undefined ? '' : `, ${minimum} or more`
  return [
    '',
    `### ${id}`,
    '',
    `${escapeMarkdown(about)} (${source.join(', ')})`,
    '',
    ...Object.entries(options).map(
      ([option, text]) => `- \`${option}\`${isChosen(option) ? ' (default)' : ''}: ${escapeMarkdown(text)}`,
    ),
    ...(kind === 'duration' ? [`- A duration${least}. Default: \`${reading.default}\``] : []),
    ...(kind === 'text' ? [`- Any text. Default: \`${reading.default}\``] : []),
    '',
    `Why: ${escapeMarkdown(why)}`,
  ]
}
