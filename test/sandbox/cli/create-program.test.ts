import { Command, CommanderError, Option } from 'commander'
import { expect, test } from 'vitest'
import { paymentKinds } from '../../../spec/payments.ts'
import { createProgram } from '../../../sandbox/cli/create-program.ts'
import { loadProgram } from '../../support/all-commands.ts'

/** What is said of a command line that leaves out an argument. */
async function refusal(...words: readonly string[]): Promise<string> {
  const program = await loadProgram(words[0])
  const error: unknown = await program.parseAsync(['node', 'hookbench', ...words]).catch((thrown) => thrown)
  return error instanceof CommanderError ? error.message : String(error)
}

test.each([
  [['play'], `<kind>: ${paymentKinds.slice(0, -1).join(', ')} or ${paymentKinds.at(-1)}`],
  [['faults', 'add'], '<on>: delivery or api\n  <kind>: duplicate, '],
  [['faults', 'add', 'api'], "missing required argument 'kind'\n  <kind>: duplicate, "],
  [['advance'], '<by>: a duration such as 25m or 1h45m, or an instant'],
  [['clock', 'set'], '<mode>: real, manual or compressed'],
  [
    ['show'],
    "<type>: items, users, batch_transactions, accounts, transactions, disbursements, companies or virtual_accounts\n  <id>: the object's id",
  ],
  [['rehearse'], `name one of ${paymentKinds.join(', ')}`],
])('the command line %j is refused with what each missing argument takes', async (words, text) => {
  expect(await refusal(...words)).toContain(text)
})

test.each([
  ['evnts', 'Did you mean events?'],
  ['help evnts', 'did you mean "events"?'],
  ['help xyzzy', '"npx hookbench --help" lists all commands'],
  ['create item', 'did you mean "items"?'],
  ['move accounts a1 closed', 'change it with "npx hookbench change accounts a1 enabled=false"'],
  ['advance -5m', 'the clock never goes back'],
  ['advance 400d', 'say --yes'],
  ['advance --jsn', 'there is no such option'],
  ['advance 5x', 'Cannot advance by "5x": it is not a duration; give a duration such as 25m, or an instant'],
  ['play direct-credit-payout --item i1', 'it pays no item'],
  ['register nope --type items', 'it is not an HTTPS URL'],
  ['register https://localhost:1/ --type item', 'did you mean "items"?'],
  ['clock set manuel', 'it takes real, manual or compressed; did you mean "manual"?'],
  ['jobs --status nope', 'Cannot use --status "nope": it takes pending, success or failed'],
  ['events --type jobb', 'did you mean "job"?'],
  ['clock set real --speed 2', 'leave out --speed'],
  ['deliver --raw x', 'give one of a URL, --registration and --job'],
  ['deliver --job j1 --raw x', 'give --job without them'],
])('the command line %j is refused with the way to correct it', async (line, remedy) => {
  expect(await refusal(...line.split(' '))).toContain(remedy)
})

const ESCAPE = '\u001b]0;owned\u0007\u001b[2J'

/** What the program prints to the standard error about a command line that does not fit. */
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
  ['a word too many', ['play', 'x', ESCAPE]],
  ['a value that is no choice', ['play', '--pace', ESCAPE]],
])('the program prints no terminal escapes when it refuses %s', async (_, words) => {
  const text = await complain(words)

  expect(text).toMatch(/^hookbench: Cannot read the command line: /)
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  expect(text).not.toMatch(/[\u0007\u001b]/)
})

test('the program keeps the lines of a refusal that suggests a command', async () => {
  expect(await complain(['pla'])).toBe(
    `hookbench: Cannot read the command line: unknown command 'pla'\n(Did you mean play?)\n(try "npx hookbench --help")\n`,
  )
})
