import { CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { paymentKinds } from '../../../spec/payments.ts'
import { loadProgram } from '../../support/all-commands.ts'

/** What is said of a command line that leaves out an argument. */
async function refusal(...words: readonly string[]): Promise<string> {
  const program = await loadProgram(words[0])
  const error: unknown = await program.parseAsync(['node', 'hookbench', ...words]).catch((thrown) => thrown)
  return error instanceof CommanderError ? error.message : String(error)
}

test.each([
  [['play'], `<kind>: one of ${paymentKinds.join(', ')}`],
  [['faults', 'add'], '<on>: delivery or api\n  <kind>: on delivery: duplicate, '],
  [['faults', 'add', 'api'], "missing required argument 'kind'\n  <kind>: on delivery: duplicate, "],
  [['advance'], '<by>: a duration such as 25m or 1h45m, or an instant'],
  [['clock', 'set'], '<mode>: real or manual or compressed'],
  [
    ['show'],
    "<type>: one of items, users, batch_transactions, accounts, transactions, disbursements, companies, virtual_accounts\n  <id>: the object's id",
  ],
  [['rehearse'], `<kind>: one of ${paymentKinds.join(', ')}`],
])('the command line %j is refused with what each missing argument takes', async (words, text) => {
  expect(await refusal(...words)).toContain(text)
})
