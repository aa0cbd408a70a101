import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

const WIDTHS = [400, 1_280]
const COLOR_SCHEMES = ['light', 'dark'] as const

/**
 * The tested widths and colour schemes. With `HOOKBENCH_BROWSER=whole`, all combinations are tested. By default, each width is
 * tested in one colour scheme.
 */
const LOOKS = WIDTHS.map((width, place) => ({
  width,
  colorSchemes:
    process.env['HOOKBENCH_BROWSER'] === 'whole' ? COLOR_SCHEMES : COLOR_SCHEMES.slice(place, place + 1),
}))

/**
 * Returns violations of accessibility rules, and elements wider than the window. Tests a narrow light window and a wide dark
 * window. `HOOKBENCH_BROWSER=whole` tests both widths in both colour schemes.
 */
export async function findAxeProblems(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  const problems: string[] = []
  for (const { width, colorSchemes } of LOOKS) {
    await page.setViewportSize({ width, height: 800 })
    // Waits for the frame in which a script updates the layout after the resize.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const drawn = await page.evaluate('document.documentElement.scrollWidth')
    if (drawn !== width) problems.push(`in a window of ${width} the page has ${String(drawn)}`)
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      const found = await findViolations(page)
      problems.push(...found.map((problem) => `${width}, ${colorScheme}: ${problem}`))
    }
  }
  return problems
}

async function findViolations(page: Page): Promise<readonly string[]> {
  const violations = await page.evaluate<readonly Violation[]>(
    `(async () => (await axe.run({ resultTypes: ['violations'] })).violations)()`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary}`),
  )
}
