import { expect, test } from 'vitest'
import { readDocument } from '../../spec/document.ts'
import { faultKinds } from '../../spec/faults.ts'

const { properties = {} } = readDocument('control.yaml').schemas['FaultRequest'] ?? {}

test('the control API takes every kind of fault that there is, and no other', () => {
  const kinds = Object.values(faultKinds).flatMap((byName) => Object.keys(byName))

  expect(properties['kind']?.enum).toEqual([...new Set(kinds)])
})

test('a request can give every setting that a kind of fault takes', () => {
  const settings = Object.values(faultKinds).flatMap((byName) =>
    Object.values(byName).flatMap(({ takes, needs = [] }) => [...takes, ...needs]),
  )

  expect(settings.filter((name) => !(name in properties))).toEqual([])
})
