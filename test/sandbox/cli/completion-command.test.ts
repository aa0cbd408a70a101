import { expect, onTestFinished, test, vi } from 'vitest'
import { printCompletions } from '../../../sandbox/cli/completion-command.ts'
import { loadProgram } from '../../support/all-commands.ts'

/** No values, but names of files; or these values and no files. */
const FILES = ':0'
const NO_FILES = ':4'

const listChecks = async () => [
  { value: 'order', about: 'all of them' },
  { value: 'order/twins', about: 'one' },
]

/** The values that a shell is offered for the last word of a line, and the directive after them. */
async function complete(line: string): Promise<{ readonly values: string[]; readonly directive: string }> {
  const words = line.split(' ')
  const program = await loadProgram(words.length > 1 ? words[0] : undefined)
  const print = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  await printCompletions(program, words, listChecks)
  const lines = print.mock.calls.splice(0).map(String)
  const values = lines.slice(0, -1).map((each) => String(each.split('\t')[0]))
  return { values, directive: String(lines.at(-1)) }
}

test.each([
  ['jo', ['jobs', 'job'], NO_FILES],
  ['faults a', ['add'], NO_FILES],
  ['help regi', ['register', 'registrations'], NO_FILES],
  ['jobs --st', ['--status'], NO_FILES],
  ['jobs --status p', ['pending'], NO_FILES],
  ['jobs --status=s', ['success'], NO_FILES],
  ['faults add --da', ['--data'], NO_FILES],
  ['show it', ['items'], NO_FILES],
  ['register https://localhost:1/ --type us', ['users'], NO_FILES],
  ['play npp-payin --via ', ['pay-id', 'crn', 'virtual-account'], NO_FILES],
  ['readings set retry-w', ['retry-window'], NO_FILES],
  ['faults add delivery dup', ['duplicate'], NO_FILES],
  ['check ord', ['order', 'order/twins'], NO_FILES],
  ['check https://localhost:1/ order order/', ['order/twins'], NO_FILES],
  ['check --explain order/', ['order/twins'], NO_FILES],
  ['load --shape si', ['sine'], NO_FILES],
  ['completion ', ['bash', 'zsh', 'fish'], NO_FILES],
  ['generate --lang j', ['json-schema'], NO_FILES],
  ['clock set c', ['compressed'], NO_FILES],
  ['snapshot restore be', [], FILES],
  ['up --config ', [], FILES],
  ['nonsense ', [], FILES],
])('"%s" is completed with what the program takes there', async (line, values, directive) => {
  expect(await complete(line)).toEqual({ values, directive })
})

test('each command is offered with its description', async () => {
  const program = await loadProgram()
  const print = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => print.mockRestore())

  await printCompletions(program, ['clock'], listChecks)

  expect(print.mock.calls).toEqual([["clock\tshow the sandbox's clock, or set how it moves"], [NO_FILES]])
})
