import { expect, test } from 'vitest'
import { paymentCommands } from '../../../sandbox/cli/payment-commands.ts'

test.each([
  ['--via', 'crn'],
  ['--amount', '12'],
  ['--currency', 'AUD'],
  ['--item', '12'],
  ['--user', '12'],
  ['--pace', 'stepwise'],
])('a payment that is not played takes no %s', async (name, value) => {
  const play = paymentCommands().find((command) => command.name() === 'play') ?? expect.fail()
  const played = play.parseAsync(['card-payin', '--dry', name, value], { from: 'user' })

  await expect(played).rejects.toThrow(`nothing is played; leave out ${name}`)
})
