import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { toManualPage } from '../../../../sandbox/cli/manuals/manual-page.ts'
import { manualText } from '../../../../sandbox/cli/manuals/manual-text.ts'
import { showManuals } from '../../../../sandbox/cli/manuals/show-manuals.ts'
import { listCommands, loadProgram, MANUALS } from '../../../support/all-commands.ts'

const commands = await listCommands()
const pages = [...commands].flatMap(([name, command]) => {
  const manual = MANUALS[name]
  return manual ? [[name, toManualPage(command, manual)] as const] : []
})
const plain = (_: unknown, text: string) => text

test.each(pages)('the help of "%s" has its sections in the order of a manual', (_, page) => {
  const headings = page.sections.map(({ heading }) => heading)
  const usual = [
    'Name',
    'Synopsis',
    'Description',
    'Commands',
    'Arguments',
    'Options',
    'Examples',
    'Exit codes',
    'See also',
  ]

  expect(headings.filter((heading) => usual.includes(heading))).toEqual(
    usual.filter((heading) => headings.includes(heading)),
  )
  expect(headings).toEqual(
    expect.arrayContaining(['Name', 'Synopsis', 'Options', 'Examples', 'Exit codes', 'See also']),
  )
})

test.each([60, 80, 100, 200])(
  'no line of any help is wider than a terminal of %d, but for a word that is',
  (width) => {
    const wide = pages.flatMap(([, page]) =>
      manualText(page, width, plain)
        .split('\n')
        .filter((line) => line.length > Math.min(width, 100) && line.trim().includes(' ')),
    )

    expect(
      wide.filter((line) =>
        line
          .trim()
          .split(' ')
          .every((word) => word.length < width - 30),
      ),
    ).toEqual([])
  },
)

test('an example that is folded can be pasted into a shell', () => {
  const page = pages.find(([name]) => name === 'rehearse')?.[1]
  if (!page) throw new Error('There is no help of rehearse')

  const text = manualText(page, 60, plain)

  expect(text.replaceAll(/ \\\n +/g, ' ')).toContain(
    'npx hookbench rehearse direct-debit-payin --outcome failed_direct_debit --order 6,2,4 --late @2 --shrink',
  )
})

test('an option tells its choices, its default and its variable', () => {
  const [jobs, up] = ['jobs', 'up'].map((name) =>
    manualText(pages.find(([each]) => each === name)?.[1] ?? { name, about: '', sections: [] }, 100, plain),
  )

  expect(jobs).toMatch(/--status <status> +only these: pending, success, failed/)
  expect(jobs).toMatch(/--limit <count> +how many at most \(default: 20\)/)
  expect(up).toContain('$HOOKBENCH_API_TOKEN')
})

test('a command shows its manual as its help', async () => {
  const program = await loadProgram()
  showManuals(program.commands, MANUALS)
  const add = program.commands.find((each) => each.name() === 'faults')?.commands[0]

  const help = stripVTControlCharacters(add?.helpInformation() ?? '')

  expect(help).toMatch(/^NAME\n {2}hookbench faults add - let something go wrong/)
  expect(help).toContain('\nKINDS ON DELIVERY\n')
})
