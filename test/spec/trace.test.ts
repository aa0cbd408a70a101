import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readYaml } from '../../spec/document.ts'
import { readSourceTree } from '../support/rooms.ts'
import { specPlaces } from './spec-places.ts'

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

function dangling(sections: Trace): string[] {
  return rowsOf(sections).flatMap(({ line, kept }) =>
    kept.filter((pointer) => !leads(pointer)).map((pointer) => `line ${line}: ${pointer}`),
  )
}

function leads(pointer: string): boolean {
  const [, file, name] = /^test:([^#]+)#(.+)$/.exec(pointer) ?? []
  return file === undefined || name === undefined ? pointers.has(pointer) : testNames(file).includes(name)
}

function testNames(file: string): string[] {
  const names = (tests.get(file) ?? '').matchAll(/\(\s*(['"])((?:(?!\1).)+)\1,\s*(?:async\b|\()/g)
  return [...names].flatMap(([, , name]) => name ?? [])
}

/** Returns the parts of the spec without a promise. Each section that a part names must have a promise for the part. */
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

test('every promise in the specification trace is complete and in the order of the service document', () => {
  expect(disorderly(trace)).toEqual([])
})

test('every place that a promise names exists in the spec or the tests', () => {
  expect(dangling(trace)).toEqual([])
})

test('every spec part and reading that needs a promise has a promise in each section that the part names', () => {
  expect(untraced(trace)).toEqual([])
})

test('the head of the specification trace states the correct number of lines and promises', () => {
  const text = readFileSync(new URL('../../spec/trace.yaml', import.meta.url), 'utf8')
  const rows = rowsOf(trace)
  const lines = new Set(rows.map(({ line }) => line)).size

  const counts = /(\d+) of its (\d+) lines contain (\d+) promises\. The other (\d+)/
    .exec(text)
    ?.slice(1)
    .map(Number)

  expect(counts).toEqual([lines, 354, rows.length, 354 - lines])
})
