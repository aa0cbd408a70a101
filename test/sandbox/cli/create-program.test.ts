import { Command, CommanderError, Option } from 'commander'
import { expect, onTestFinished, test, vi } from 'vitest'
import { paymentKinds } from '../../../spec/payments.ts'
import { createProgram } from '../../../sandbox/cli/create-program.ts'
import { listCommands, loadProgram } from './all-commands.ts'
import { SANDBOX_COMMANDS } from '../../../sandbox/cli/command-sources.ts'
import { printCompletions } from '../../../sandbox/cli/completion-command.ts'

async function refusal(...words: readonly string[]): Promise<string> {
  const program = await loadProgram(words[0])
  const error: unknown = await program.parseAsync(['node', 'hookbench', ...words]).catch((thrown) => thrown)
  return error instanceof CommanderError ? error.message : String(error)
}

test.each([
  [['play'], `<kind>: ${paymentKinds.slice(0, -1).join(', ')} or ${paymentKinds.at(-1)}`],
  [['faults', 'add', 'api'], "missing required argument 'kind'\n  <kind>: duplicate, "],
  [['advance'], '<by>: a duration such as 25m or 1h45m, or an instant'],
  [['show'], 'companies or virtual_accounts\n  <id>: the id of the object'],
  [['rehearse'], `Name one of ${paymentKinds.join(', ')}`],
])('the command line %j is rejected with the valid values of each missing argument', async (words, text) => {
  expect(await refusal(...words)).toContain(text)
})

test.each([
  ['evnts', 'Did you mean events?'],
  ['help evnts', 'Did you mean "events"?'],
  ['help xyzzy', '"npx hookbench --help" lists all commands'],
  ['create item', 'Did you mean "items"?'],
  ['move accounts a1 closed', 'Change the object with "npx hookbench change accounts a1 enabled=false"'],
  ['advance -5m', 'the clock never goes back'],
  ['advance 400d', 'Add --yes to confirm'],
  [
    'advance 5x',
    'Cannot advance by "5x": the value is not a duration. Give a duration such as 25m, or an instant',
  ],
  ['play direct-credit-payout --item i1', 'this kind pays no item'],
  ['register nope --type items', 'the text is not an HTTPS URL'],
  ['faults ad', 'Did you mean "faults add"?'],
  ['play bpay-payout --dry --outcome x', 'the outcome must be successful or invalid_account_details'],
  ['clock set manuel', 'the value must be real, manual or compressed. Did you mean "manual"?'],
  ['clock set real --speed 2', 'Omit --speed'],
  ['deliver --raw x', 'Give one of a URL, --registration and --job'],
  ['deliver --job j1 --raw x', 'Give --job without another'],
])('the command line %j is rejected with the correction', async (line, remedy) => {
  expect(await refusal(...line.split(' '))).toContain(remedy)
})

const ESCAPE = '\u001b]0;owned\u0007\u001b[2J'

async function complain(words: readonly string[]): Promise<string> {
  const command = new Command('play').argument('[kind]').addOption(new Option('--pace <pace>').choices(['a']))
  const program = createProgram([command], false)
  const printed: string[] = []
  const { write } = process.stderr
  process.stderr.write = (text: unknown) => printed.push(String(text)) > 0
  try {
    await program.parseAsync(['node', 'hookbench', ...words])
    expect.fail('It fits')
  } catch (error) {
    expect(error).toBeInstanceOf(CommanderError)
  } finally {
    process.stderr.write = write
  }
  return printed.join('')
}

test.each([
  ['an unknown command', [ESCAPE]],
  ['an unknown option', ['play', `--${ESCAPE}`]],
  ['an extra argument', ['play', 'x', ESCAPE]],
  ['an invalid value', ['play', '--pace', ESCAPE]],
])('the program prints no terminal escape sequences when it rejects %s', async (_, words) => {
  const text = await complain(words)

  expect(text).toMatch(/^hookbench: Cannot read the command line: /)
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  expect(text).not.toMatch(/[\u0007\u001b]/)
})

test.each(SANDBOX_COMMANDS.map((source) => [source.names.join(', '), source] as const))(
  'the file of the commands %s defines exactly these commands',
  async (_, { names, load }) => {
    const commands = [await load({})].flat()

    expect(commands.map((command) => command.name()).toSorted()).toEqual(names.toSorted())
  },
)

/** The completion directives. `:0` lets shells also complete file names. `:4` completes only the returned values. */
const FILES = ':0'

const NO_FILES = ':4'

const listChecks = async () => [
  { value: 'order', about: 'all of them' },
  { value: 'order/twins', about: 'one' },
]

/** Returns the completions of the last word and the completion directive. */
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
  ['show it', ['items'], NO_FILES],
  ['play npp-payin --via ', ['pay-id', 'crn', 'virtual-account'], NO_FILES],
  ['readings set retry-w', ['retry-window'], NO_FILES],
  ['check ord', ['order', 'order/twins'], NO_FILES],
  ['check https://localhost:1/ order order/', ['order/twins'], NO_FILES],
  ['completion ', ['bash', 'zsh', 'fish'], NO_FILES],
  ['snapshot restore be', [], FILES],
  ['nonsense ', [], FILES],
])('the completion of the line "%s" lists the accepted values', async (line, values, directive) => {
  expect(await complete(line)).toEqual({ values, directive })
})

const commands = await listCommands()

function helpOf(command: Command | undefined, columns: number): string {
  const { columns: before } = process.stdout
  process.stdout.columns = columns
  const help = command?.helpInformation() ?? ''
  process.stdout.columns = before
  return help
}

test.each([...commands])('the help of %s contains usage, purpose, options and examples', (name, command) => {
  const [usage, , purpose] = helpOf(command, 80).split('\n')
  const headings = helpOf(command, 80)
    .split('\n')
    .filter((line) => /^[A-Z][\w ]*:$/.test(line))

  expect(usage).toMatch(new RegExp(`^Usage: npx hookbench ${name} \\[options\\]`))
  expect(purpose).toMatch(/^[A-Z]/)
  expect(headings).toEqual(expect.arrayContaining(['Options:', 'Examples:']))
})

test.each([80, 100, 200])('a help text fits %d columns and is never wider than 100 columns', (columns) => {
  const lines = [...commands.values()].flatMap((command) => helpOf(command, columns).split('\n'))

  // Command lines and single words are never wrapped.
  const foldable = lines.filter((line) => !/^ {2}(#|npx )|^Usage:/.test(line) && line.trim().includes(' '))
  expect(foldable.filter((line) => line.length > Math.min(columns, 100))).toEqual([])
})

test('the help of an option contains choices, default and environment variable', () => {
  const jobs = helpOf(commands.get('jobs'), 100)

  expect(jobs).toMatch(/--status <status> +only these \(choices: "pending", "success", "failed"\)/)
  expect(jobs).toMatch(/--limit <count> +maximum number of entries \(default: 20\)/)
  expect(jobs).toMatch(/--world <name> +.*\(env: HOOKBENCH_WORLD\)/)
})

test('the help of a subcommand has the options of both commands', () => {
  const add = helpOf(commands.get('faults add'), 100)

  expect(add).toMatch(/--times <count>[^]*--data <dir>[^]*--json[^]*--help/)
  expect(add.match(/--help/g)).toHaveLength(1)
})
