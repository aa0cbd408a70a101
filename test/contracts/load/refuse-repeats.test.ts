import { expect, test } from 'vitest'
import { notificationMaker, refuseRepeats } from '../../../contracts/load/notification-maker.ts'
import { planNotifications } from '../../../contracts/load/plan.ts'
import { planContent, type ShareWish } from '../../../contracts/load/shares.ts'
import { ProbeError, type EffectProbe } from '../../../contracts/toolkit/ports.ts'
import { LOADED, openLoadedService } from '../support/loaded-service.ts'

type Acted = ReadonlySet<string>

async function make(wishes: readonly ShareWish[], acted: Acted, probe?: EffectProbe): Promise<Acted> {
  const consequences = { 'card-payin': { object_type: 'items', state: 'payment_deposited' } } as const
  const content = planContent({ ...LOADED, consequences }, wishes)
  const known = new Set(acted)
  const maker = refuseRepeats(
    notificationMaker({
      ...content,
      apart: 1,
      service: openLoadedService(),
      options: { consequences, seed: 7 },
    }),
    { seed: 7, probe: probe ?? (async (_, id) => ({ effects: known.has(id) ? 1 : 0, state: null })) },
  )
  for (const planned of planNotifications(content.shares, { count: 24, apart: 1 })) {
    const message = planned && (await maker(planned))
    if (message?.booking) known.add(message.id)
  }
  return known
}

const SHARES: readonly (readonly [what: string, wish: ShareWish])[] = [
  ['a payment whose item is acted on', { weight: 1, of: { kind: 'card-payin' } }],
  ['a payment whose transaction is acted on', { weight: 1, of: { kind: 'npp-payin' } }],
  ['objects', { weight: 1, of: { type: 'items' } }],
]

test.each(SHARES)(
  '%s: a load rejects a seed when the objects that the seed generates already have effects',
  async (_, wish) => {
    const acted = await make([wish], new Set())
    expect(acted.size).toBeGreaterThan(3)

    await expect(make([wish], acted)).rejects.toThrow(
      /^Cannot use seed 7 again: your platform has effects of \w+ [\w-]+ already, from before its first notification\. Empty your platform/,
    )
    // The platform has lost the first payment.
    await expect(make([wish], new Set([...acted].slice(1)))).rejects.toThrow('Cannot use seed 7 again')
  },
)

test('a load reports unreadable effects at its end, after a few read attempts', async () => {
  let looks = 0
  const probe = () => Promise.reject(new ProbeError(`Look ${++looks}`))

  await make([{ weight: 1, of: { type: 'users' } }], new Set(), probe)

  expect(looks).toBe(3)
})
