import { VERSION } from '../../sandbox/engine/core/version.ts'
import { toManualPage, type ManualPage } from '../../sandbox/cli/manuals/manual-page.ts'
import { listCommands, MANUALS } from './all-commands.ts'
import { manualMarkdown } from './manual-markdown.ts'
import { manualRoff } from './manual-roff.ts'

const HOW =
  'Made of the help of the commands by test/tools/command-pages.ts. Do not edit: run `npm run generate`.'

/** What is made of the help of every command, by path: a page of the reference, and one of `man`. */
export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  const groups = await listGroups()
  return new Map([
    ['docs/reference/commands.md', referencePage(groups)],
    [
      'man/hookbench.1',
      `.\\" ${HOW}\n${manualRoff(
        VERSION,
        groups.flatMap(([, pages]) => pages),
      )}`,
    ],
  ])
}

type Group = readonly [heading: string, pages: readonly ManualPage[]]

async function listGroups(): Promise<readonly Group[]> {
  const rows = [...(await listCommands())].flatMap(([name, command]) => {
    const manual = MANUALS[name]
    const heading = (command.parent?.parent ? command.parent : command).helpGroup().replace(':', '')
    return manual ? [{ heading, page: toManualPage(command, manual) }] : []
  })
  // A command within another stands behind it.
  const sorted = rows.toSorted((a, b) => order(a.page, rows) - order(b.page, rows))
  return [...Map.groupBy(sorted, ({ heading }) => heading)].map(([heading, of]) => [
    heading,
    of.map(({ page }) => page),
  ])
}

function order({ name }: ManualPage, rows: readonly { readonly page: ManualPage }[]): number {
  const [first = '', second] = name.split(' ')
  const at = (words: string) => rows.findIndex(({ page }) => page.name === words)
  return second === undefined ? at(first) : at(first) + (at(name) + 1) / (rows.length + 1)
}

function referencePage(groups: readonly Group[]): string {
  const list = groups.map(
    ([heading, pages]) =>
      `- ${heading}: ${pages.map(({ name }) => `[${name}](#${name.replaceAll(' ', '-')})`).join(', ')}`,
  )
  return [
    `<!-- ${HOW} -->`,
    '# Commands',
    'What `npx hookbench help COMMAND` shows. What is in capitals stands for an id: `ITEM`, `JOB`, `PAYMENT`. [In your shell](../shell.md) tells of completion, JSON, exit codes and colours.',
    list.join('\n'),
    ...groups.flatMap(([heading, pages]) => [`## Commands: ${heading}`, ...pages.map(manualMarkdown)]),
    '',
  ].join('\n\n')
}
