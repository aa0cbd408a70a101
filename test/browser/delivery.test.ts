/** @module-tag chromium */

import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { HOSTILE_PAYLOADS } from '../support/hostile-payloads.ts'
import { readCopied } from '../support/dashboard-page.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const { bench, open } = useDashboard({
  serve: serveDashboard,
  prepare: ({ register }) => register('items'),
  restore: ({ answer }) => answer(() => 204),
})

async function openDelivery({
  status = 204,
  fields = {},
}: { readonly status?: number; readonly fields?: object } = {}) {
  bench.answer(() => status)
  const { body: item } = await bench.bench('POST', '/objects/items', fields)
  const { body: found } = await bench.bench('GET', `/jobs?object_id=${item.id}`)
  const jobId: string = found.jobs[0].id
  await bench.bench('POST', '/settle', {})
  const page = await open(`#/jobs/${jobId}`)
  await page.getByRole('heading', { name: `Attempt 1 ← ${status}` }).waitFor()
  return { page, item, jobId }
}

test('the delivery pane shows a summary first and the sent bytes last', async () => {
  const { page, item } = await openDelivery({ status: 503, fields: { name: 'A table' } })
  const fact = (name: string) => page.locator('.summary > div').filter({ hasText: name })

  await fact('Who').getByText(bench.urlFor('webhooks', 'items')).waitFor()
  await fact('Result').getByText('Failed, 503').waitFor()
  await fact('Attempts').getByText('next in 5 min').waitFor()
  await fact('To do').waitFor()
  const pretty = await page.getByLabel('Body that was sent').textContent()
  await page.getByText('Raw bytes of attempt 1').click()

  expect(pretty).toBe(JSON.stringify({ items: item.object }, null, 2))
  expect(await page.locator('pre[aria-label="Raw bytes of attempt 1"]').textContent()).toBe(
    JSON.stringify({ items: item.object }),
  )
})

test('the delivery pane shows the difference from the previous notification and the later calls of the receiver', async () => {
  const { item } = await openDelivery()
  await bench.bench('PATCH', `/objects/items/${item.id}`, { state: 'completed' })
  await bench.bench('POST', '/settle', {})
  const { jobs } = (await bench.bench('GET', `/jobs?object_id=${item.id}`)).body
  await bench.service('GET', `/items/${item.id}`)

  const page = await open(`#/jobs/${jobs.at(-1).id}`)

  await page.getByText('Compared with the previous notification (pending)').waitFor()
  await page.getByText('Your receiver called: Show item').waitFor()
  expect(await page.locator('.json ins').allTextContents()).toContainEqual(
    expect.stringContaining('completed'),
  )
  expect(await page.locator('.json del').allTextContents()).toContainEqual(expect.stringContaining('pending'))
})

test('the delivery pane shows cause, fix and time per phase when a delivery failed', async () => {
  // The restart closes all connections, so the next attempt must open a new connection.
  await bench.restart()
  const { page } = await openDelivery({ status: 302 })

  await page.getByText('Answered 302, but only 200 to 299 is a success').waitFor()
  await page.getByText('What to do: the service does not follow redirects').waitFor()
  await page.getByText(/^DNS .* ms, connect .* ms, TLS .* ms, first byte .* ms, .*total .* ms$/).waitFor()
  await page.getByText('Request headers').click()
  await page.getByText('Hookbench-Delivery/0.1').waitFor()
})

test('the delivery pane shows live which fields changed after the delivery was sent', async () => {
  const { page, item } = await openDelivery({ fields: { name: 'before' } })
  await page.getByText('The object has not changed since this notification').waitFor()

  await bench.bench('PATCH', `/objects/items/${item.id}`, { name: 'after' })

  const row = page.getByRole('row', { name: 'items.name' })
  await row.waitFor()
  expect(await row.getByRole('cell').allTextContents()).toEqual(['"before"', '"after"'])
})

test('resending a delivery adds an attempt', async () => {
  const { page } = await openDelivery({ status: 500 })
  bench.answer(() => 200)

  await page.getByRole('button', { name: 'Resend' }).click()

  await page.getByRole('heading', { name: 'Attempt 2 ← 200' }).waitFor()
  await page.getByText('Sent the same bytes as attempt 2').waitFor()
  await page.getByRole('button', { name: 'Resend' }).waitFor({ state: 'detached' })
})

test('the dashboard sends the same body again when the user redelivers a delivery', async () => {
  const { page, item } = await openDelivery()
  const { length } = bench.received

  await page.getByRole('button', { name: 'Deliver again' }).click()
  await page.getByText('Delivered again: 204').waitFor()

  const [again] = bench.received.slice(length)
  expect(again?.body).toEqual({ items: item.object })
})

test('a user can edit and send a body with the keyboard, and the page shows the equivalent command', async () => {
  const { page, item } = await openDelivery()
  const { length } = bench.received
  await page.getByRole('button', { name: 'Edit and deliver' }).focus()
  await page.keyboard.press('Enter')
  const bytes = page.getByLabel('Bytes to deliver')
  await bytes.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`{"items":{"id":"${item.id}","state":"it's forged"}}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('x-forged: yes')

  await page.getByRole('button', { name: 'Deliver', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Delivery 1 ← 204').waitFor()
  await page.getByRole('group', { name: 'Copy as' }).nth(1).getByRole('button', { name: 'hookbench' }).click()
  await page.getByText('Copied as hookbench').waitFor()

  const [forged] = bench.received.slice(length)
  expect(forged?.body).toEqual({ items: { id: item.id, state: "it's forged" } })
  expect(forged?.headers['x-forged']).toBe('yes')
  expect(await readCopied(page)).toContain(String.raw`"state":"it'\''s forged"`)
  await page.getByRole('group', { name: 'Copy as' }).nth(1).getByRole('button', { name: 'curl' }).click()
  await page.getByText('Copied as curl').waitFor()
  expect(await readCopied(page)).toContain("-H 'x-forged: yes'")
  await page.getByLabel('signed').check()
  expect(await page.getByRole('button', { name: 'curl' }).count()).toBe(1)
})

test('the body editor shows indented JSON but sends the original bytes when the body is not edited', async () => {
  const { page, item } = await openDelivery()
  const { length } = bench.received
  await page.getByRole('button', { name: 'Edit and deliver' }).click()
  const bytes = page.getByLabel('Bytes to deliver')
  const shown = await bytes.inputValue()

  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await page.getByText('Delivery 1 ← 204').waitFor()
  await bytes.fill(shown)
  await page.getByText('JSON', { exact: true }).waitFor()
  await page.getByRole('group', { name: 'Copy as' }).nth(1).getByRole('button', { name: 'hookbench' }).click()
  await page.getByText('Copied as hookbench').waitFor()

  expect(shown).toBe(JSON.stringify({ items: item.object }, null, 2))
  expect(bench.received[length]?.body).toEqual({ items: item.object })
  expect(await readCopied(page)).toContain(shown.slice(0, 20))
})

test('the page names invalid headers and sends no delivery', async () => {
  const { page } = await openDelivery()
  await page.getByRole('button', { name: 'Edit and deliver' }).click()

  await page.getByLabel('Headers to add or replace').fill('nothing')

  await page.getByText('Cannot read "nothing": write the header as name: value').waitFor()
  expect(await page.getByRole('button', { name: 'Deliver', exact: true }).isDisabled()).toBe(true)
})

test('the copy buttons copy a delivery as curl, as a command and as a test', async () => {
  const { page, jobId, item } = await openDelivery()
  const copies: string[] = []

  for (const name of ['curl', 'hookbench', 'vitest', 'link']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(`Copied as ${name}`).waitFor()
    copies.push(await readCopied(page))
  }

  const [curl, command, vitest, link] = copies
  expect(curl).toMatch(/^curl -i --cacert /)
  expect(curl).toContain(`--data-raw '${JSON.stringify({ items: item.object })}'`)
  expect(command).toBe(`npx hookbench deliver --job ${jobId}`)
  expect(vitest).toContain(`test("the receiver accepts items ${item.id}, pending"`)
  expect(link).toBe(`${bench.sandbox.benchUrl}/#/jobs/${jobId}`)
})

test('a link opens a delivery at full width, and buttons switch to the list and back', async () => {
  const { page } = await openDelivery()
  const widthOf = async () =>
    (await page.getByRole('complementary', { name: 'Delivery' }).boundingBox())?.width
  const widths = [await widthOf()]

  await page.keyboard.press('z')
  await page.getByRole('button', { name: 'Widen the delivery' }).waitFor()
  await page.locator('.row.job').first().waitFor()
  widths.push(await widthOf())
  await page.getByRole('button', { name: 'Widen the delivery' }).click()
  await page.getByRole('button', { name: 'Narrow the delivery' }).waitFor()
  widths.push(await widthOf())
  await page.goBack()
  await page.getByRole('button', { name: 'Widen the delivery' }).waitFor()

  expect(widths.map((width) => Math.round(width ?? 0))).toEqual([1_280, 589, 1_280])
  expect(await widthOf()).toBe(widths[1])
})

test('every view of a delivery shows a hostile payload as plain text', async () => {
  const evil = '<img src=x onerror="document.title=1"></pre><b id=owned>\u202E\u0000${1}`'
  const description = HOSTILE_PAYLOADS.filter((text) => text.isWellFormed()).join('\n')
  const { page, item } = await openDelivery({ status: 500, fields: { name: evil, description } })
  await page.getByText('The object has not changed since this notification').waitFor()
  await bench.bench('PATCH', `/objects/items/${item.id}`, {
    name: `${evil} after`,
    description: `after ${description}`,
  })
  await page.getByRole('row', { name: 'items.description' }).waitFor()
  await page.getByRole('button', { name: 'Edit and deliver' }).click()
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await page.getByText('Delivery 1 ← 500').waitFor()

  expect(await page.getByLabel('Body that was sent').textContent()).toContain('U+202E')
  expect(await page.getByLabel('Body that was sent').textContent()).not.toContain('\u202E')
  expect([await page.title(), await page.locator('#owned, img, iframe, main script').count()]).toEqual([
    'Hookbench',
    0,
  ])
  expect(bench.misdeeds).toEqual([])
})

test('the delivery pane is accessible in light and dark mode', async () => {
  const { page, item } = await openDelivery({ status: 500, fields: { name: 'before' } })
  await bench.bench('PATCH', `/objects/items/${item.id}`, { name: 'after' })
  await page.getByRole('row', { name: 'items.name' }).waitFor()
  await page.getByRole('button', { name: 'Edit and deliver' }).click()
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await page.getByText('Delivery 1 ← 500').waitFor()
  for (const summary of await page.locator('summary').all()) await summary.click()

  expect(await findAxeProblems(page)).toEqual([])
})
