import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readYaml } from '../../spec/document.ts'
import { readSourceTree } from '../support/source-tree.ts'
import { specPlaces } from '../support/spec-places.ts'

interface Row {
  readonly line: number
  readonly promise: string
  readonly kept: readonly string[]
}

/** The promises of each section of the service's document. */
type Trace = Readonly<Record<string, readonly Row[]>>

const trace = readYaml<Trace>('trace.yaml')
const places = specPlaces()
const pointers = new Set(places.map(({ pointer }) => pointer))
const tests = readSourceTree(['test'])
const { compare } = new Intl.Collator('en', { numeric: true })

function rowsOf(sections: Trace): (Row & { readonly section: string })[] {
  return Object.entries(sections).flatMap(([section, rows]) => rows.map((row) => ({ section, ...row })))
}

/** Rows that are incomplete or out of order. */
function disorderly(sections: Trace): string[] {
  let before = { section: '', line: 0 }
  return rowsOf(sections).flatMap((row) => {
    const { section, line, promise, kept } = row
    const follows = compare(section, before.section) >= 0 && line >= before.line
    const complete = /^§\d+(\.\d+)?$/.test(section) && Number.isInteger(line) && /^\S.*\.$/.test(promise)
    const once = kept.length > 0 && new Set(kept).size === kept.length
    before = row
    return follows && complete && once ? [] : [`${section} line ${line}: ${promise}`]
  })
}

/** Places of rows that lead nowhere. */
function dangling(sections: Trace): string[] {
  return rowsOf(sections).flatMap(({ line, kept }) =>
    kept.filter((pointer) => !leads(pointer)).map((pointer) => `line ${line}: ${pointer}`),
  )
}

function leads(pointer: string): boolean {
  const [, file, name] = /^test:([^#]+)#(.+)$/.exec(pointer) ?? []
  return file === undefined || name === undefined ? pointers.has(pointer) : testNames(file).includes(name)
}

/** What the tests of a file are called. */
function testNames(file: string): string[] {
  const names = (tests.get(file) ?? '').matchAll(/\(\s*(['"])((?:(?!\1).)+)\1,\s*(?:async\b|\()/g)
  return [...names].flatMap(([, , name]) => name ?? [])
}

/** Parts of the spec that keep nothing, and parts that keep nothing of a section which they name. */
function untraced(sections: Trace): string[] {
  const sectionsByPointer = Map.groupBy(
    rowsOf(sections).flatMap(({ section, kept }) => kept.map((pointer) => ({ section, pointer }))),
    ({ pointer }) => pointer,
  )
  return places.flatMap(({ pointer, sections: named, needed }) => {
    const found = sectionsByPointer.get(pointer)?.map(({ section }) => section)
    if (!found) return needed ? [pointer] : []
    return named.filter((section) => !found.includes(section)).map((section) => `${pointer} in ${section}`)
  })
}

test('every promise is complete, in the order of the document', () => {
  expect(disorderly(trace)).toEqual([])
})

test('every place that keeps a promise exists', () => {
  expect(dangling(trace)).toEqual([])
})

test('every part of the spec that is not ours, and every reading, keeps a promise of each section it names', () => {
  expect(untraced(trace)).toEqual([])
})

test('the head of the trace counts its lines and promises', () => {
  const text = readFileSync(new URL('../../spec/trace.yaml', import.meta.url), 'utf8')
  const rows = rowsOf(trace)
  const lines = new Set(rows.map(({ line }) => line)).size

  const counts = /Of its (\d+) lines (\d+) hold (\d+) promises; the other (\d+)/
    .exec(text)
    ?.slice(1)
    .map(Number)

  expect(counts).toEqual([354, lines, rows.length, 354 - lines])
})

const LINE = { line: 1, promise: 'It is kept.', kept: ['reading:retry-window'] }

test.each<[string, Trace, string[]]>([
  ['a line that goes back', { '§1': [{ ...LINE, line: 2 }, LINE] }, ['§1 line 1: It is kept.']],
  ['a section that goes back', { '§2.9': [LINE], '§2.8': [LINE] }, ['§2.8 line 1: It is kept.']],
  ['no section', { '2': [LINE] }, ['2 line 1: It is kept.']],
  ['no promise', { '§2': [{ ...LINE, promise: '' }] }, ['§2 line 1: ']],
  ['no place', { '§2': [{ ...LINE, kept: [] }] }, ['§2 line 1: It is kept.']],
])('disorderly() finds %s', (_, rows, found) => {
  expect(disorderly(rows)).toEqual(found)
})

test.each([
  'schema:Nothing',
  'schema:Item/nothing',
  'schema:Item/links/nothing',
  'operation:showNothing',
  'security:nothing',
  'lifecycle:items/nothing',
  'lifecycle:transactions/(created)->successful',
  'lifecycle:disbursements//successful->cancelled',
  'payment:npp-payin/2',
  'delivery:retry',
  'reading:nothing',
  'test:test/nothing.test.ts#nothing',
  'test:test/spec/trace.test.ts',
  'test:test/spec/trace.test.ts#',
  'test:test/spec/trace.test.ts#every promise',
  'later:sandbox',
  'nothing',
])('dangling() finds %s', (pointer) => {
  expect(dangling({ '§1': [{ ...LINE, kept: [pointer] }] })).toEqual([`line 1: ${pointer}`])
})

test.each([
  'schema:Item',
  'schema:Item/state',
  'schema:Item/links/fees',
  'schema:RelatedTransaction/user_name',
  'schema:PaymentCreditCardTransaction/account_type',
  'operation:showItem',
  'operation:notifyItems',
  'security:basic',
  'lifecycle:items/voided',
  'lifecycle:transactions//(created)->successful',
  'lifecycle:batch_transactions/bpay/bpay/bpay_pending->successful',
  'payment:card-payin',
  'payment:card-payin/2',
  'delivery:sending_addresses.pre-live.callbacks',
  'delivery:limits.deadline',
  'reading:retry-window',
])('untraced() finds %s where no promise is kept by it', (pointer) => {
  expect(untraced(without(pointer))).toEqual([pointer])
})

test('untraced() finds the section where a place keeps nothing', () => {
  const { '§9': _, ...rest } = trace

  expect(untraced(rest)).toEqual(['reading:callback-list in §9', 'reading:versions'])
})

function without(pointer: string): Trace {
  return Object.fromEntries(
    Object.entries(trace).map(([section, rows]) => [
      section,
      rows.map((row) => ({ ...row, kept: row.kept.filter((kept) => kept !== pointer) })),
    ]),
  )
}
