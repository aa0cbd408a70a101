import { expect, test } from 'vitest'
import type { Message } from '../../../contracts/toolkit/check-context.ts'
import { editMessage, replaceId, replaceLinks, shiftTimes } from '../../../contracts/toolkit/messages.ts'

const HOUR_MS = 3_600_000

const item: Message = {
  type: 'items',
  id: 'a1',
  state: 'pending',
  label: 'items pending',
  body: '{"items":{"id":"a1","amount":100,"updated_at":"2026-01-02T03:00:00.000Z","links":{"self":"/items/a1","fees":null}}}',
}
const account: Message = {
  type: 'virtual_accounts',
  id: 'v1',
  state: null,
  label: 'virtual_accounts',
  body: '{"event":"status_updated","id":"v1","link":"/virtual_accounts/v1","updatedAt":"2026-01-02T15:00:00.000+12:00"}',
}

test('editMessage() changes the object in a wrapped or a flat body', () => {
  expect(
    [item, account].map((message) => editMessage(message, (object) => ({ ...object, id: 'b' })).body),
  ).toEqual([item.body.replace('"id":"a1"', '"id":"b"'), account.body.replace('"id":"v1"', '"id":"b"')])
})

test('replaceId() replaces every occurrence of the ID in a message', () => {
  expect(replaceId(account, '../x"')).toMatchObject({
    id: '../x"',
    body: account.body.replaceAll('v1', '../x\\"'),
  })
})

test('replaceLinks() replaces every link in a message', () => {
  expect([item, account].map((message) => replaceLinks(message, '//x').body)).toEqual([
    item.body.replace('"/items/a1"', '"//x"').replace('null', '"//x"'),
    account.body.replace('/virtual_accounts/v1', '//x'),
  ])
})

test('shiftTimes() moves timestamps back and preserves their time zone offset', () => {
  expect([item, account].map((message) => shiftTimes(message, HOUR_MS).body)).toEqual([
    item.body.replace('T03', 'T02'),
    account.body.replace('T15', 'T14'),
  ])
})
