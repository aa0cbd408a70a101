import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openChild, type OpenChild } from '../children.ts'
import { askJson, benchHeaders, createCalls, serviceHeaders } from '../requests.ts'
import type { MeasureOptions, Row } from '../row.ts'
import { compareSides, median } from '../slices.ts'
import { fillStore } from '../stores.ts'

const FEW = 1_000

async function withBoth<Result>(
  options: MeasureOptions,
  measure: (many: OpenChild, few: OpenChild) => Promise<Result>,
): Promise<Result> {
  const stores = [await copyStore(options, options.jobs), await copyStore(options, FEW)] as const
  const [many, few] = await Promise.all([open(options, stores[0]), open(options, stores[1])])
  try {
    return await measure(many, few)
  } finally {
    await Promise.all([many.end(), few.end()])
    for (const store of stores) removeStore(join(options.folder, store))
  }
}

const open = ({ folder }: MeasureOptions, store: string) => openChild({ folder, store, speed: 0 })

async function copyStore(options: MeasureOptions, jobs: number): Promise<string> {
  const store = await fillStore(options, jobs)
  const copy = `copy-${process.pid}-${store}`
  copyFileSync(join(options.folder, store), join(options.folder, copy))
  return copy
}

function removeStore(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

async function listPages({ serviceUrl, benchUrl }: OpenChild, jobs: number) {
  const headers = await serviceHeaders(serviceUrl)
  const { webhooks } = await askJson<{ webhooks: { uuid: string }[] }>(`${serviceUrl}/webhooks`, { headers })
  const list = `/webhooks/${webhooks[0]?.uuid}/jobs`
  const page = await askJson<{ jobs: { payload: { users: { id: string } } }[] }>(
    `${serviceUrl}${list}?offset=${Math.floor(jobs / 2)}&limit=1`,
    { headers },
  )
  const { payload } = page.jobs[0] ?? {}
  const service = [
    '',
    `?offset=${Math.floor(jobs / 2)}`,
    `?offset=${jobs - 10}`,
    '?status=failed',
    `?status=failed&offset=${Math.floor(jobs / 2)}`,
    '?status=success',
    `?object_id=${payload?.users.id}`,
  ]
  const bench = [
    '',
    '?cursor=0',
    `?cursor=${Math.floor(jobs / 2)}`,
    '?status=failed',
    `?status=failed&cursor=${Math.floor(jobs / 2)}`,
    // One in a hundred jobs has succeeded, so the small store has `FEW / 100` successful jobs. With this limit, both stores
    // return the same number of jobs.
    `?status=success&limit=${FEW / 100}`,
    '?status=pending',
    '?object_type=users&generation=webhooks',
    '?generation=callbacks',
    `?object_id=${payload?.users.id}`,
  ]
  return [
    ...service.map((query) => ({ origin: serviceUrl, path: `${list}${query}`, headers })),
    ...bench.map((query) => ({ origin: benchUrl, path: `/control/jobs${query}`, headers: benchHeaders })),
  ]
}

export const PAGES: Row = {
  id: 'pages',
  what: 'the slowdown of the slowest first page, page after a cursor, or filter of the two job lists with many jobs, compared with 1,000 jobs',
  unit: '',
  better: 'less',
  bar: 1.2,
  goal: 1,
  instead: 'a browser table whose pages are read with SQL OFFSET',
  depends: 'jobs',
  measure: (options) =>
    withBoth(options, async (many, few) => {
      const pairs = [await listPages(many, options.jobs), await listPages(few, FEW)] as const
      let worst = { ratio: 0, self: 1, path: '', ours: 0, bare: 0 }
      for (const [index, page] of pairs[0].entries()) {
        // The row `offset` measures the pages at an offset.
        if (page.path.includes('offset=')) continue
        const other = pairs[1][index] ?? page
        const calls = [createCalls(page.origin, page, 4), createCalls(other.origin, other, 4)] as const
        const { ratio, ...rest } = await compareSides(
          { ours: calls[0].side, bare: calls[1].side },
          { rounds: 7, warmUpMs: 600 },
        )
        await Promise.all(calls.map((each) => each.close()))
        if (1 / ratio > worst.ratio) worst = { ...rest, ratio: 1 / ratio, path: page.path }
      }
      const path = worst.path.replace(/[\da-f]{8}-[\da-f-]{27}/g, '…')
      const rates = `${Math.round(worst.ours)} a second against ${Math.round(worst.bare)}`
      return { value: worst.ratio, self: worst.self, detail: `${path}: ${rates}` }
    }),
}

const OFFSETS_TAKEN = 50

export const OFFSET: Row = {
  id: 'offset',
  what: 'the median time to list a page of the jobs of a webhook, at an offset of half of the jobs',
  unit: 'ms',
  better: 'less',
  bar: 10,
  goal: 3,
  instead: 'OFFSET in SQL, which reads all rows before the page',
  depends: 'jobs',
  async measure(options) {
    const store = await copyStore(options, options.jobs)
    const sandbox = await open(options, store)
    try {
      const { origin, path, headers } = middlePage(await listPages(sandbox, options.jobs))
      const taken: number[] = []
      for (let count = 0; count < OFFSETS_TAKEN; count++) {
        const startedAt = performance.now()
        await (await fetch(`${origin}${path}`, { headers })).arrayBuffer()
        taken.push(performance.now() - startedAt)
      }
      return {
        value: median(taken),
        detail: `the longest of ${taken.length}: ${Math.max(...taken).toFixed(1)} ms`,
      }
    } finally {
      await sandbox.end()
      removeStore(join(options.folder, store))
    }
  },
}

function middlePage(pages: Awaited<ReturnType<typeof listPages>>) {
  const page = pages.find(({ path }) => /jobs\?offset=\d+$/.test(path))
  if (!page) throw new Error('Cannot measure: no page has an offset')
  return page
}
