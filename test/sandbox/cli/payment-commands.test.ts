import { expect, test } from 'vitest'
import { paymentCommands } from '../../../sandbox/cli/payment-commands.ts'

test.each(['--via', '--amount', '--currency', '--item', '--user', '--pace'])(
  'a payment that is not played takes no %s',
  async (name) => {
    const play = paymentCommands().find((command) => command.name() === 'play') ?? expect.fail()
    const played = play.parseAsync(['card-payin', '--dry', name, '12'], { from: 'user' })

    await expect(played).rejects.toThrow(`nothing is played; leave out ${name}`)
  },
)
