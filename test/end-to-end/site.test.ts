import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { checkUrl } from '../../contracts/report/report.ts'
import { findAxeProblems } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { openWorkshop } from '../support/program.ts'
import { serveHttp } from '../support/scripted-server.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

async function serveSite(folder: string) {
  const { origin, close } = await serveHttp((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site.test').pathname.replace(/^\/hookbench\//, '')
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((name) => join(folder, name))
      .find((name) => existsSync(name) && statSync(name).isFile())
    if (file === undefined) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' })
      .end(readFileSync(file))
  })
  return { url: `${origin}/hookbench/`, close }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = `${ROOT}/docs/.vitepress/dist`

describe('the built site', { tags: 'chromium' }, () => {
  let site: Awaited<ReturnType<typeof serveSite>>
  let browser: Browser
  const foreign: string[] = []

  beforeAll(async () => {
    execFileSync('npm', ['run', 'docs'], { cwd: ROOT, stdio: 'pipe' })
    site = await serveSite(DIST)
    browser = await launchChromium()
  }, 600_000)

  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  async function openPage(path: string): Promise<Page> {
    const page = await browser.newPage()
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' })
    // During a CSS transition, the measured contrast would be wrong.
    await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' })
    return page
  }

  test('the built site loads nothing from other hosts', () => {
    const tags = globSync('**/*.html', { cwd: DIST }).flatMap((name) => [
      ...readFileSync(`${DIST}/${name}`, 'utf8').matchAll(
        /<(?:script|link|img|source|iframe)\b[^>]*(?:src|srcset|href)="(?:https?:)?\/\/[^>]*>/g,
      ),
    ])
    const styles = globSync('**/*.css', { cwd: DIST }).flatMap((name) => [
      ...readFileSync(`${DIST}/${name}`, 'utf8').matchAll(/(?:url\(|@import )["']?(?:https?:)?\/\/[^)]*/g),
    ])

    expect([...tags, ...styles].map(([text]) => text)).toEqual([])
  })

  test('the built site has an anchor for each link that a report prints', async () => {
    const page = readFileSync(`${DIST}/reference/checks.html`, 'utf8')
    const ids = new Set([...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))

    expect(
      catalogue.map(({ id }) => new URL(checkUrl(id)).hash.slice(1)).filter((id) => !ids.has(id)),
    ).toEqual([])
  })

  test('the built site lists its pages for programs in llms.txt', () => {
    const list = readFileSync(`${DIST}/llms.txt`, 'utf8')
    const all = readFileSync(`${DIST}/llms-full.txt`, 'utf8')

    expect(list).toMatch(/^- \[Checks\]\(https:\/\/hookbench\.github\.io\/hookbench\/reference\/checks\): /m)
    expect(all).toContain('# Let a coding agent make every check pass')
    expect(all).toContain('### trust/lying-body')
  })

  test.each(['', 'tutorial', 'guides/green', 'reference/control-api', 'reference/configuration'])(
    'the site page %s is accessible and not wider than its window',
    async (path) => {
      const page = await openPage(path)

      expect((await findAxeProblems(page)).filter((problem) => !OF_VITEPRESS.test(problem))).toEqual([])
    },
  )

  test('the built site has an offline search', async () => {
    const page = await openPage('')
    await page.keyboard.press('Control+k')
    await page.fill('.VPLocalSearchBox input', 'ships twice')

    await page
      .locator('.VPLocalSearchBox .result', { hasText: 'The same success is delivered twice' })
      .waitFor()
    expect(foreign).toEqual([])
  })

  test('the built site generates curl lines that a sandbox accepts', async () => {
    const shop = openWorkshop()
    try {
      const up = await shop.up('--memory')
      const page = await openPage('reference/control-api')
      await page.fill('.try-it [name=bench]', String(up.ready['bench_url']))
      const select = page.locator('.try-it select')
      const replies: unknown[] = []
      for (const id of [
        'createObject',
        'playPayment',
        'addFault',
        'advanceClock',
        'listJobs',
        'clearFaults',
      ]) {
        await select.selectOption(id)
        const line = await page.locator('.try-it output').textContent()
        replies.push(
          JSON.parse(execFileSync('sh', ['-c', line ?? ''], { cwd: shop.folder, encoding: 'utf8' }) || '{}'),
        )
      }

      expect(replies).toHaveLength(6)
      expect(replies.filter((reply) => JSON.stringify(reply).includes('"error"'))).toEqual([])
    } finally {
      await shop.close()
    }
  })
})

/** A known problem of VitePress. The search button shows a shortcut key, but the button's label does not contain the key. */
const OF_VITEPRESS = /label-content-name-mismatch: <button type="button" class="DocSearch/
