/** @module-tag chromium */

import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const { bench, openLive } = useDashboard({
  serve: serveDashboard,
  restore: (served) => served.bench('POST', '/reset', {}),
})

const create = async (type: string, fields: object = {}): Promise<string> =>
  (await bench.bench('POST', `/objects/${type}`, fields)).body.id

test('the world screen reports a missing registration, and a user can register a receiver with only the keyboard', async () => {
  const page = await openLive('#/world')
  const findings = page.getByRole('list', { name: 'Findings' })
  await findings.getByText('No notification is sent, because no registration is enabled').waitFor()
  await findings.getByText('npx hookbench register URL --type items').waitFor()
  expect(await findings.getByRole('listitem').count()).toBeGreaterThan(4)

  await page.getByLabel('URL').focus()
  await page.keyboard.type(bench.urlFor('webhooks', 'items'))
  await page.keyboard.press('Enter')

  await page.getByText('Registered for items: the receiver answered the test POST with 200').waitFor()
  await page.getByText('No notification is sent').waitFor({ state: 'detached' })
  const { body } = await bench.bench('GET', '/registrations')
  expect(body.registrations).toMatchObject([{ generation: 'webhooks', object_type: 'items', enabled: true }])
})

test('a receiver URL with {object_type} is registered for all eight object types', async () => {
  const page = await openLive('#/world')

  await page.getByLabel('URL').fill(bench.urlFor('webhooks', 'items').replace('items', '{object_type}'))
  await page.getByRole('button', { name: 'Register 8 types' }).click()
  await page.getByText('Registered for virtual_accounts').waitFor()

  expect((await bench.bench('GET', '/registrations')).body.registrations).toHaveLength(8)
})

test('the registration form registers all object types except already registered types', async () => {
  await bench.register('items', 'users')
  const page = await openLive('#/world')

  await page.getByLabel('URL').fill(bench.urlFor('webhooks', 'items').replace('items', '{object_type}'))
  await page.getByRole('button', { name: 'Register 8 types' }).click()
  await page.getByText('Registered for virtual_accounts').waitFor()

  expect(await page.getByText('2 of 8 types were registered already').count()).toBe(1)
  expect((await bench.bench('GET', '/registrations')).body.registrations).toHaveLength(8)
})

test('the registration form shows the reason when the receiver is unreachable', async () => {
  const page = await openLive('#/world')

  await page.getByLabel('URL').fill('https://localhost:1/nothing')
  await page.getByLabel('Generation').selectOption('as callback')
  await page.getByRole('button', { name: 'Register' }).click()

  await page.getByText('the test POST to https://localhost:1/nothing failed').waitFor()
  expect((await bench.bench('GET', '/registrations')).body.registrations).toEqual([])
})

test('a button disables a registration and enables it again', async () => {
  await bench.register('items')
  const page = await openLive('#/world')

  await page.getByRole('button', { name: /^Disable webhooks of items/ }).click()
  const enable = page.getByRole('button', { name: /^Enable webhooks of items/ })
  await enable.waitFor()
  const disabled = (await bench.bench('GET', '/registrations')).body.registrations[0].enabled
  await enable.click()
  await page.getByRole('button', { name: /^Disable webhooks of items/ }).waitFor()

  expect(disabled).toBe(false)
})

test('filters find an object by ID and by state even while the object changes', async () => {
  const [first, second] = [await create('items'), await create('items')]
  const page = await openLive('#/world')
  const rows = page.getByRole('group', { name: 'Objects' }).getByRole('link')
  await rows.nth(1).waitFor()

  await page.getByLabel('State', { exact: true }).fill('completed')
  await page.getByText('No items match the filter').waitFor()
  await bench.bench('POST', `/objects/items/${first}/transitions`, { to: 'completed' })
  await rows.filter({ hasText: first.slice(0, 8) }).waitFor()
  const found = await rows.count()
  await page.getByLabel('State', { exact: true }).fill('')
  await page.getByLabel('Id begins with').fill(second.slice(0, 13))
  await rows.filter({ hasText: second.slice(0, 8) }).waitFor()
  await rows.filter({ hasText: first.slice(0, 8) }).waitFor({ state: 'detached' })

  expect(found).toBe(1)
})

test('an object shows its state, and a button changes the state to a documented next state', async () => {
  const kind = { type: 'disbursement', type_method: 'direct_credit', state: 'bank_processing' }
  const id = await create('batch_transactions', kind)
  const page = await openLive('#/world/batch_transactions')
  await page.getByRole('link', { name: id.slice(0, 8) }).click()
  const states = page.getByRole('group', { name: 'Move to' })
  await states.locator('[aria-current]').filter({ hasText: 'bank_processing' }).waitFor()
  const moves = states.getByRole('button')
  const names = await moves.allTextContents()

  await moves.filter({ hasText: 'successful' }).click()

  await page.getByText('Moved to successful: no notification').waitFor()
  await states.locator('[aria-current]').filter({ hasText: 'successful' }).waitFor()
  await states.getByText('No transition is possible').waitFor()
  expect(names).toEqual(['successful', 'invalid_account_details'])
})

test('the world screen names the source and the alternatives of each field in a Show response', async () => {
  const id = await create('items', { name: '<b id=owned>a table</b>' })
  const page = await openLive(`#/world/items/${id}`)
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

  await row('state').getByText('item-states').click()

  const { readings } = (await bench.bench('GET', '/readings')).body
  const { about } = readings.find(({ id: each }: { id: string }) => each === 'item-states')
  await row('state').getByText(about).waitFor()
  expect(await row('name').getByRole('cell').first().textContent()).toBe('"<b id=owned>a table</b>"')
  expect(await page.locator('#owned').count()).toBe(0)
})

test('the keys j, k and Escape navigate the object list', async () => {
  const [first, second] = [await create('items'), await create('items')]
  const page = await openLive('#/world')
  for (const id of [first, second]) await page.getByRole('link', { name: id.slice(0, 8) }).waitFor()
  const hash = () => page.evaluate<string>('location.hash')
  /** Presses the key until the page reacts, because a new element handles keys only after a short delay. */
  const press = async (key: string, from: string) => {
    const next = async () => {
      if ((await hash()) === from) await page.keyboard.press(key)
      return hash()
    }
    await expect.poll(next).not.toBe(from)
    return hash()
  }

  const below = await press('j', '#/world')
  expect(below).toBe(`#/world/items/${second}`)
  expect(await press('j', below)).toBe(`#/world/items/${first}`)
  expect(await press('k', `#/world/items/${first}`)).toBe(below)
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Registrations' }).waitFor()

  expect(await hash()).toBe('#/world/items')
})

test('the object list renders only visible rows', async () => {
  for (let made = 0; made < 300; made++) await create('companies')
  const page = await openLive('#/world/companies')
  const rows = page.getByRole('group', { name: 'Objects' }).getByRole('link')
  await rows.first().waitFor()

  expect(await rows.count()).toBeLessThan(120)
})

test('the world screen is accessible in light and dark mode', async () => {
  await bench.register('items')
  const id = await create('items')
  const page = await openLive('#/world')
  await page.getByRole('link', { name: id.slice(0, 8) }).waitFor()
  await page.getByRole('button', { name: /^Disable/ }).waitFor()
  const home = await findAxeProblems(page)
  await page.getByRole('link', { name: id.slice(0, 8) }).click()
  await page.getByRole('group', { name: 'Move to' }).waitFor()
  await page.locator('summary').first().click()

  expect([...home, ...(await findAxeProblems(page))]).toEqual([])
})

/** Finds texts that are cut off by the window or by a box. Ids and timelines may be cut off. */
const CUT = `[...document.querySelectorAll('main *')].flatMap((element) => {
  const text = [...element.childNodes].find((node) => node.nodeType === 3 && node.data.trim() !== '')
  if (!text || !element.checkVisibility({ visibilityProperty: true })) return []
  if (element.closest('.hidden, .mono, pre, option, .event-timeline')) return []
  let box = element.parentElement
  while (box && getComputedStyle(box).overflowX === 'visible') box = box.parentElement
  const end = Math.min(innerWidth, box ? box.getBoundingClientRect().right : innerWidth)
  return element.getBoundingClientRect().right > end + 1 ? [text.data] : []
})`

test('the object details are not cut off when the window is 390 pixels wide', async () => {
  await bench.register('items')
  const { body: payment } = await bench.bench('POST', '/payments', { kind: 'card-payin' })
  await bench.bench('POST', '/settle', {})
  const { id }: { id: string } = payment.objects.find(
    ({ object_type }: { object_type: string }) => object_type === 'items',
  )
  await bench.service('GET', `/items/${id}`)
  const { jobs } = (await bench.bench('GET', `/jobs?object_id=${id}`)).body
  const { requests } = (await bench.bench('GET', '/requests')).body
  const page = await openLive('#/', { viewport: { width: 390, height: 800 } })
  const places: readonly (readonly [string, string])[] = [
    ['#/', '.row.job'],
    [`#/payments/${payment.id}`, '.mark'],
    [`#/activity/${jobs[0].id}`, '.json'],
    [`#/requests/${requests.at(-1).id}`, '.summary'],
    [`#/world/items/${id}`, '.states'],
    ['#/world', '[aria-label=Register]'],
  ]
  const cut: unknown[] = []
  for (const [route, shown] of places) {
    await page.evaluate(`location.hash = ${JSON.stringify(route)}`)
    await page.locator(shown).first().waitFor()
    cut.push(...(await page.evaluate<unknown[]>(CUT)))
  }

  expect(cut).toEqual([])
})
